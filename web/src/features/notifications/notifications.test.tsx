import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  adaId,
  memberRows,
  nothingTold,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";
import type { BellItem } from "./model/bell-page.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  // What the popover needs and this document does not have.
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
  message_id: "m",
  submission_id: null,
  excerpt: "Look at this",
  ...differs,
});

const read = "POST /rest/v1/rpc/my_notifications";
const mark = "POST /rest/v1/rpc/mark_notifications_read";

function open(answer: () => Reply | Promise<Reply>) {
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
    const { live } = open(() => ({ body: { ...nothingTold, unread, items: [line()] } }));
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

  it("names the days above their lines, and the hour in them", async () => {
    const now = new Date();
    const dayBefore = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1, 9, 30);
    const items = [
      line({ id: 3, created_at: now.toISOString() }),
      line({ id: 2, created_at: dayBefore.toISOString() }),
      line({ id: 1, created_at: "2025-11-20T12:00:00" }),
    ];
    open(() => ({ body: { ...nothingTold, unread: 3, items } }));
    const bell = within(await openBell("Notifications, 3 unread"));
    const days = await bell.findAllByRole("heading", { level: 3 });
    expect(days.map((day) => day.textContent)).toEqual([
      "Today",
      "Yesterday",
      "Thursday, 20 November 2025",
    ]);
    const yesterday = within(bell.getByRole("region", { name: "Yesterday" }));
    expect(yesterday.getByText("09:30")).toBeVisible();
  });

  it("reads again when something was announced to everyone", async () => {
    let unread = 0;
    const { live } = open(() => ({ body: { ...nothingTold, unread } }));
    await screen.findByRole("button", { name: "Notifications" });
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    unread = 1;
    live.broadcast("rooms", "announced", { spread_ms: 0 });
    expect(await screen.findByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
    unread = 2;
    for (const [event, payload] of [
      ["changed", {}],
      ["announced", {}],
      ["announced", { spread_ms: -1 }],
    ] as const) {
      live.broadcast("rooms", event, payload);
    }
    live.broadcast("rooms", "announced", { spread_ms: 5 });
    expect(await screen.findByRole("button", { name: "Notifications, 2 unread" })).toBeVisible();
  });

  it("lists what happened with its address, and marks what is followed", async () => {
    const { seen } = open(() => ({
      body: {
        ...nothingTold,
        unread: 1,
        items: [line(), line({ id: 2, kind: "level_up", detail: "2", unread: false })],
      },
    }));
    const panel = await openBell("Notifications, 1 unread");
    const [first, second] = within(panel).getAllByRole("link");
    expect(first).toHaveAccessibleName(/^Unread: ?Tom and 3 others liked your message in General/);
    expect(first).toHaveAttribute("href", "/chats/general#m");
    expect(second).toHaveAccessibleName(/^You reached Level 2/);
    expect(second).toHaveAttribute("href", "/progress");
    await userEvent.click(first!);
    await waitFor(() => expect(panel).not.toBeInTheDocument());
    const body = { up_to: line().created_at, notification_id: 1 };
    expect(seen.filter(({ call }) => call === mark)).toEqual([{ call: mark, body }]);
  });

  it("says to its end, and as it was written, why something was taken away", async () => {
    const why = `Insults are *never* fine here.\n${"We keep to what was said. ".repeat(15)}Not to who said it.`;
    const removed = { kind: "moderated", what: "message", words: "Rude", excerpt: why };
    open(() => ({ body: { ...nothingTold, unread: 1, items: [line(removed)] } }));
    const bell = within(await openBell("Notifications, 1 unread"));
    const link = await bell.findByRole("link", {
      name: /you wrote in General, “Rude”, was removed/,
    });
    expect(link).toHaveTextContent(`Reason: ${why}`.replaceAll(/\s+/g, " "));
  });

  it("says what one wrote with a report that was decided", async () => {
    const decided = { kind: "report_decided", what: "message", excerpt: "Sells a course." };
    open(() => ({ body: { ...nothingTold, unread: 1, items: [line(decided)] } }));
    const bell = within(await openBell("Notifications, 1 unread"));
    const link = await bell.findByRole("link", { name: /you reported in General/ });
    expect(link).toHaveTextContent("Your report: “Sells a course.”");
  });

  it("says what one chose with a report without words", async () => {
    const decided = { kind: "report_decided", what: "message", excerpt: null, why: "scam" };
    const later = { ...decided, id: 8, why: "unheard-of" };
    open(() => ({ body: { ...nothingTold, unread: 2, items: [line(decided), line(later)] } }));
    const bell = within(await openBell("Notifications, 2 unread"));
    const [link, unknown] = await bell.findAllByRole("link", { name: /you reported in General/ });
    expect(link).toHaveTextContent("Your report: Scam or fraud");
    expect(unknown).not.toHaveTextContent("Your report");
  });

  it("marks all as read, and closes with Escape to where it was opened", async () => {
    let unread = 1;
    const { seen } = open(() => ({
      body: { ...nothingTold, unread, items: [line({ unread: unread === 1 })] },
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
    const refused = Promise.withResolvers<Reply>();
    let answer: Reply | Promise<Reply> = refused.promise;
    open(() => answer);
    const panel = await openBell("Notifications");
    expect(within(panel).getByText("Loading your notifications")).toBeInTheDocument();
    refused.resolve({ status: 400, body: {} });
    const again = await within(panel).findByRole("button", { name: "Try again" });
    answer = { body: nothingTold };
    await userEvent.click(again);
    expect(await within(panel).findByText("Nothing yet")).toBeVisible();
  });
});

describe("a page load", () => {
  const changed = "GET /rest/v1/notifications";

  /** @param asked what the question whether anything came meanwhile waits for. */
  function load(arrived: readonly object[], asked: Promise<void> = Promise.resolve()) {
    const view = renderApp("/studentdash", {
      session: sessionOf(),
      rows: { ...memberRows(), notifications: arrived },
      reply: async ({ call }) => {
        if (call === changed) await asked;
        return undefined;
      },
    });
    const count = (call: string) => view.calls().filter((each) => each === call).length;
    return { ...view, count };
  }

  it("reads bell and Today once each, and asks once whether anything came meanwhile", async () => {
    const { count, live } = load([]);
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    await waitFor(() => expect(count(changed)).toBe(1));
    await screen.findByText(/^Nothing is waiting for you\./);
    expect([count(read), count("POST /rest/v1/rpc/my_today")]).toEqual([1, 1]);
    // The changes of one act are gathered before they are read, so a second reading would be under way by now.
    live.change("INSERT", "notifications", { id: 1, user_id: adaId });
    await waitFor(() => expect(count(read)).toBe(2));
    await waitFor(() => expect(count("POST /rest/v1/rpc/my_today")).toBe(2));
    expect(count(changed)).toBe(1);
    expect(count("POST /rest/v1/rpc/unread_rooms")).toBe(2);
  });

  it("reads both again when something came before the subscription", async () => {
    const shown = Promise.withResolvers<void>();
    const { count } = load([{ id: 1 }], shown.promise);
    await screen.findByText(/^Nothing is waiting for you\./);
    await waitFor(() => expect(count(read)).toBe(1));
    shown.resolve();
    await waitFor(() => expect(count(read)).toBe(2));
    await waitFor(() => expect(count("POST /rest/v1/rpc/my_today")).toBe(2));
    expect(count(changed)).toBe(1);
  });
});

describe("the rail", () => {
  it("shows how many rooms have something unread at Chats, and counts them again with the bell", async () => {
    let rooms = 2;
    const { live } = renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (call.endsWith("/rpc/unread_rooms") ? { body: rooms } : undefined),
    });
    const [rail, tabs] = await screen.findAllByRole("navigation", { name: "Main" });
    for (const frame of [rail, tabs] as HTMLElement[]) {
      expect(await within(frame).findByRole("link", { name: /2\s?unread/ })).toHaveAttribute(
        "href",
        "/chats",
      );
    }
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    rooms = 1;
    live.change("INSERT", "notifications", { id: 1, user_id: adaId });
    expect(
      await within(rail as HTMLElement).findByRole("link", { name: /^Chats 1\s?unread$/ }),
    ).toBeVisible();
  });
});
