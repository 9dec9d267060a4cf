import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import type { BellItem } from "./model/bell-page.ts";
import { bellItemPath, formatBellItem } from "./model/format-bell-item.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  /* What the popover needs and this document does not have. */
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

const line = (differs: Partial<BellItem> = {}): BellItem => ({
  id: 1,
  kind: "message_like",
  created_at: "2026-11-20T10:00:00+00:00",
  unread: true,
  detail: null,
  actor: "Tom",
  others: 3,
  chat_room_id: "general",
  room: "General",
  submission_id: null,
  excerpt: "Look at this",
  ...differs,
});

const read = "POST /rest/v1/rpc/my_notifications";
const mark = "POST /rest/v1/rpc/mark_notifications_read";

function open(answer: () => Reply) {
  return renderApp("/account", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => (call === read ? answer() : undefined),
  });
}

async function openBell(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
  return screen.findByRole("dialog", { name: "Notifications" });
}

describe("the bell", () => {
  it("shows how many are unread, in the bar and in the title, and follows changes live", async () => {
    let unread = 3;
    const { live } = open(() => ({ body: { unread, items: [line()] } }));
    expect(
      await screen.findByRole("button", { name: "Notifications, 3 unread" }),
    ).toHaveTextContent("3");
    await waitFor(() => expect(document.title).toMatch(/^\(3\) .+ · Fourfold$/));
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    unread = 0;
    live.change("UPDATE", "notifications", { id: 1, user_id: adaId });
    expect(await screen.findByRole("button", { name: "Notifications" })).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^[^(]+ · Fourfold$/));
    unread = 99;
    live.change("INSERT", "notifications", { id: 2, user_id: adaId });
    await screen.findByRole("button", { name: "Notifications, 99+ unread" });
  });

  it("lists what happened with its address, and marks what is followed", async () => {
    const { seen } = open(() => ({
      body: {
        unread: 1,
        items: [line(), line({ id: 2, kind: "level_up", detail: "2", unread: false })],
      },
    }));
    const panel = await openBell("Notifications, 1 unread");
    const [first, second] = within(panel).getAllByRole("link");
    expect(first).toHaveAccessibleName(/^Unread: ?Tom and 3 others liked your message in General/);
    expect(first).toHaveAttribute("href", "/chats/general");
    expect(second).toHaveAccessibleName(/^You reached Level 2/);
    expect(second).toHaveAttribute("href", "/progress");
    await userEvent.click(first!);
    await waitFor(() => expect(panel).not.toBeInTheDocument());
    const body = { up_to: line().created_at, notification_id: 1 };
    expect(seen.filter(({ call }) => call === mark)).toEqual([{ call: mark, body }]);
  });

  it("marks all as read, and closes with Escape to where it was opened", async () => {
    let unread = 1;
    const { seen } = open(() => ({
      body: { unread, items: [line({ unread: unread === 1 })] },
    }));
    const panel = await openBell("Notifications, 1 unread");
    unread = 0;
    await userEvent.click(within(panel).getByRole("button", { name: "Mark all as read" }));
    await waitFor(() =>
      expect(within(panel).queryByRole("button", { name: "Mark all as read" })).toBeNull(),
    );
    expect(seen.find(({ call }) => call === mark)?.body).toEqual({ up_to: line().created_at });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(panel).not.toBeInTheDocument());
    expect(screen.getByRole("button", { name: "Notifications" })).toHaveFocus();
  });

  it("says when there is nothing, and when it could not be loaded", async () => {
    let status = 400;
    open(() => (status === 400 ? { status, body: {} } : { body: { unread: 0, items: [] } }));
    const panel = await openBell("Notifications");
    expect(within(panel).getByText("Loading your notifications")).toBeInTheDocument();
    const again = await within(panel).findByRole(
      "button",
      { name: "Try again" },
      { timeout: 8000 },
    );
    status = 200;
    await userEvent.click(again);
    expect(await within(panel).findByText("Nothing yet")).toBeVisible();
  });
});

describe("a line", () => {
  it.each([
    [{ kind: "reply", others: 0 }, "Tom replied to your message in General", "/chats/general"],
    [
      { kind: "submission_like", others: 1, submission_id: "s" },
      "Tom and 1 other liked your submission",
      "/learning/submissions?submission=s",
    ],
    [
      { kind: "submission_comment", others: 0, actor: "", submission_id: "s" },
      "A member commented on your submission",
      "/learning/submissions?submission=s",
    ],
    [{ kind: "identity_approved" }, "Your identity has been verified", "/verification"],
    [
      { kind: "identity_rejected" },
      "Your identity document was not accepted. Please send another",
      "/verification",
    ],
    [
      { kind: "payment_failed" },
      "Your last payment failed. Update your card to keep your membership",
      "/subscriptions",
    ],
  ] as const)("of %o reads and leads where it should", (differs, text, path) => {
    expect(formatBellItem(line(differs))).toBe(text);
    expect(bellItemPath(line(differs))).toBe(path);
  });
});

describe("a line about a question", () => {
  const place = {
    category: "general",
    shelf: "courses",
    subcategory: "learning",
    item_id: "c1",
    module: "week-one",
    title: "Week one",
  } as const;

  it("leads a mentor to the studio, and who asked to the lesson", () => {
    const asked = line({ kind: "question", others: 0, place });
    expect(formatBellItem(asked)).toBe("Tom asked about “Week one”");
    expect(bellItemPath(asked)).toBe("/studio");
    const answered = line({ kind: "answer", others: 0, place });
    expect(formatBellItem(answered)).toBe("Tom answered your question about “Week one”");
    expect(bellItemPath(answered)).toBe("/knowledge/courses/learning/c1?module=week-one");
  });
});
