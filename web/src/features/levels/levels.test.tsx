import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

interface Row {
  readonly current_level: number;
  readonly chat_rooms_opened: readonly string[];
  readonly learning_submissions: number;
  readonly message_engagements: number;
  readonly articles_read_by_category: object;
  readonly courses_completed_by_category: object;
  readonly level_completed_at: string | null;
  readonly updated_at: string;
}

const row: Row = {
  current_level: 1,
  chat_rooms_opened: ["a", "b", "c", "d", "e"],
  learning_submissions: 3,
  message_engagements: 48,
  articles_read_by_category: {},
  courses_completed_by_category: {},
  level_completed_at: null,
  updated_at: "2026-11-21T10:00:00+00:00",
};

/** A student's dashboard over a server whose level and progress the test moves. */
function open(level = 1) {
  const world: { level: number; row: Row } = { level, row: { ...row, current_level: level } };
  const view = renderApp("/studentdash", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/user_progress") return { body: [world.row] };
      if (call === "GET /rest/v1/user_levels") {
        return { body: [{ current_level: world.level, unlocked_levels: [] }] };
      }
      return undefined;
    },
  });
  let second = 0;
  const move = (differs: Partial<Row>) =>
    act(() => {
      second += 1;
      world.row = {
        ...world.row,
        ...differs,
        updated_at: `2026-11-21T10:00:${String(second).padStart(2, "0")}+00:00`,
      };
      world.level = world.row.current_level;
      view.live.change("UPDATE", "user_progress", world.row);
    });
  return { ...view, world, move };
}

const moment = () => screen.findByRole("region", { name: "Level up" });

describe("progress", () => {
  it("updates when the server counts a progress event", async () => {
    const view = open();
    expect(await screen.findByText("2 more towards Level 2")).toBeVisible();
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    view.move({ message_engagements: 49 });
    expect(await screen.findByText("1 more towards Level 2")).toBeVisible();
  });

  it("is not undone by an answer that was long on its way", async () => {
    const view = open();
    expect(await screen.findByText("2 more towards Level 2")).toBeVisible();
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    const stale = view.world.row;
    view.move({ message_engagements: 49 });
    expect(await screen.findByText("1 more towards Level 2")).toBeVisible();
    act(() => view.live.change("UPDATE", "user_progress", stale));
    view.move({ learning_submissions: 4 });
    expect(await screen.findByText("1 more towards Level 2")).toBeVisible();
  });

  it("is read again when a change cannot be read", async () => {
    const view = open();
    expect(await screen.findByText("2 more towards Level 2")).toBeVisible();
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    view.world.row = { ...row, message_engagements: 49, updated_at: "2026-11-21T11:00:00+00:00" };
    act(() => view.live.change("UPDATE", "user_progress", {}));
    expect(await screen.findByText("1 more towards Level 2")).toBeVisible();
  });

  it("shows how far the present level is done", async () => {
    open();
    const strip = await screen.findByRole("region", { name: "Level Advancements" });
    expect(
      await within(strip).findByRole("progressbar", { name: "Progress at level 1" }),
    ).toHaveAttribute("aria-valuenow", "96");
  });
});

describe("the level-up moment", () => {
  it("comes once, names the level and what it opens, and goes when told to", async () => {
    const view = open();
    await screen.findByText("2 more towards Level 2");
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
    const focused = document.activeElement;
    view.move({ message_engagements: 50, current_level: 2 });
    const shown = await moment();
    expect(within(shown).getByRole("heading", { name: "Level 2: Knowledge" })).toBeVisible();
    expect(within(shown).getByText(/four more chat rooms/)).toBeVisible();
    const counted = "5 chat rooms opened, 3 learning submissions, 50 message engagements";
    expect(within(shown).getByText(`What counted: ${counted}.`)).toBeVisible();
    expect(within(shown).getByRole("link", { name: "Open Knowledge" })).toHaveAttribute(
      "href",
      "/knowledge/foundations",
    );
    expect(document.activeElement).toBe(focused);
    expect(screen.getByText(/^You have reached Level 2: Knowledge\./)).toHaveAttribute(
      "aria-live",
      "polite",
    );
    await userEvent.click(within(shown).getByRole("button", { name: "Stay on this page" }));
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
    view.move({ message_engagements: 51 });
    expect(await screen.findByText("25 more towards Level 3")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
  });

  it("takes the focus on Tab alone, keeps it, and gives it back", async () => {
    const view = open();
    await screen.findByText("2 more towards Level 2");
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    const before = screen.getByRole("button", { name: "Search" });
    before.focus();
    view.move({ message_engagements: 50, current_level: 2 });
    const shown = await moment();
    expect(before).toHaveFocus();
    // What is covered can't be pressed or sent.
    const pressed = vi.fn();
    before.addEventListener("click", pressed);
    await userEvent.keyboard("{Enter}");
    expect(pressed).not.toHaveBeenCalled();
    await userEvent.tab();
    expect(within(shown).getByRole("link", { name: "Open Knowledge" })).toHaveFocus();
    await userEvent.tab();
    expect(within(shown).getByRole("button", { name: "Stay on this page" })).toHaveFocus();
    await userEvent.tab();
    expect(within(shown).getByRole("link", { name: "Open Knowledge" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
    await waitFor(() => expect(before).toHaveFocus());
  });

  it("closes by a click anywhere", async () => {
    const view = open();
    await screen.findByText("2 more towards Level 2");
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    view.move({ message_engagements: 50, current_level: 2 });
    await userEvent.click(within(await moment()).getByText("You have reached"));
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
  });

  it("does not come for a level that was reached before", async () => {
    open(3);
    expect(await screen.findByText("25 more towards Level 4")).toBeVisible();
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
  });

  it("comes once more when everything is done", async () => {
    const view = open(4);
    await screen.findByText("25 more towards completing all four levels");
    await waitFor(() => expect(view.live.watchers("user_progress")).toBe(1));
    view.move({
      message_engagements: 550,
      articles_read_by_category: { wealth: Array.from({ length: 25 }, (_, id) => `a${id}`) },
      courses_completed_by_category: { wealth: ["a", "b", "c", "d", "e"] },
    });
    expect(await screen.findByRole("heading", { name: "All four levels, complete" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("region", { name: "Level up" })).not.toBeInTheDocument();
  });
});
