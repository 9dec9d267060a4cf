import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import {
  adaId,
  memberRows,
  nothingToday,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";

const progress = {
  chat_rooms_opened: ["a", "b", "c"],
  learning_submissions: 1,
  message_engagements: 17,
  articles_read_by_category: {},
  courses_completed_by_category: {},
  updated_at: "2026-11-21T10:00:00+00:00",
};
const line = {
  id: 7,
  kind: "mention",
  created_at: "2026-11-21T10:00:00.123456+00:00",
  unread: true,
  detail: null,
  actor: "Tom Baker",
  others: 0,
  chat_room_id: "general",
  room: "General",
  message_id: "22222222-2222-4222-8222-222222222222",
  submission_id: null,
  excerpt: "Ask @Ada Lovelace",
  place: null,
};
const room = {
  room_id: "general",
  room: "General",
  unread: 3,
  said_at: "2026-11-21T10:00:00+00:00",
  excerpt: "Three orders this week",
  author_id: "33333333-3333-4333-8333-333333333333",
  author: "Tom Baker",
  avatar_url: null,
};
const full = {
  level: 2,
  next_step: { level: 2, kind: "articles", category: "general", needed: 25, done: 20, room: null },
  waiting: { count: 5, items: [line], questions: 0 },
  baseline_until: null,
  pact: { id: "p1", title: "Call ten customers", due_on: "2026-11-20", is_overdue: true },
  continue: {
    lesson: {
      course_id: "c1",
      course: "Pricing",
      progress: 40,
      module: "ask-for-more",
      title: "Ask for more",
      category: "general",
      subcategory: "money",
      is_training: false,
    },
    article: {
      article_id: "a1",
      title: "A plan for Monday",
      minutes: 4,
      category: "general",
      subcategory: "habits",
    },
  },
  rooms: [room, { ...room, room_id: "success", room: "Success", unread: 0, author_id: adaId }],
};

/** A dashboard over a server whose answer the test moves. */
function open(today: Reply, path = "/studentdash", role = "student") {
  const world = { today, progress };
  const view = renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level: 2, role }),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/user_progress") return { body: [world.progress] };
      return call === "POST /rest/v1/rpc/my_today" ? world.today : undefined;
    },
  });
  const asked = () => view.calls().filter((call) => call.endsWith("/rpc/my_today")).length;
  return { ...view, world, asked };
}

const part = (name: string) => screen.findByRole("region", { name });
const linksOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));

describe("today", () => {
  it("shows what stands below it with its answer, or once there is none", async () => {
    const answer = Promise.withResolvers<Reply>();
    const { calls } = renderApp("/studentdash", {
      session: sessionOf(),
      rows: memberRows({ level: 2 }),
      reply: ({ call }) => (call.endsWith("/rpc/my_today") ? answer.promise : undefined),
    });
    expect(await screen.findByText("Loading what is new for you")).toBeInTheDocument();
    await waitFor(() => expect(calls()).toContain("GET /rest/v1/user_levels"));
    expect(screen.queryByText("Sections")).not.toBeInTheDocument();
    answer.resolve({ status: 400, body: { code: "XX000", message: "boom" } });
    expect(await screen.findByText("What's new for you couldn't be loaded")).toBeVisible();
    expect(screen.getByText("Sections")).toBeVisible();
  });

  it("says the next step in one sentence with one button", async () => {
    open({ body: full });
    const today = await part("Today");
    expect(
      within(today).getByText("Read 5 more Knowledge articles on your way to Level 3."),
    ).toBeVisible();
    expect(within(today).getByRole("link", { name: "Read a Knowledge article" })).toHaveAttribute(
      "href",
      "/knowledge/foundations",
    );
  });

  it.each([
    ["wins", "/chats/wins"],
    [null, "/chats"],
  ])("leads to the room that is to be opened next: %s", async (next, href) => {
    const rooms = { level: 1, kind: "rooms", category: null, needed: 5, done: 4, room: next };
    open({ body: { ...full, level: 1, next_step: rooms } });
    const step = await screen.findByRole("link", { name: "Open another chat room" });
    expect(step).toHaveAttribute("href", href);
  });

  it("leads to what waits, and marks what is followed as read", async () => {
    const { seen } = open({ body: full });
    const waiting = await part("Waiting for you · 5");
    const more = within(waiting).getByRole("button", { name: "4 more in your notifications" });
    expect(more).toHaveClass("min-h-11");
    await userEvent.click(more);
    expect(await screen.findByRole("dialog", { name: "Notifications" })).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(more).toHaveFocus());
    const link = within(waiting).getByRole("link", { name: /Tom Baker mentioned you in General/ });
    expect(link).toHaveAttribute("href", `/chats/general#${line.message_id}`);
    await userEvent.click(link);
    await waitFor(() =>
      expect(seen).toContainEqual({
        call: "POST /rest/v1/rpc/mark_notifications_read",
        body: { up_to: line.created_at, notification_id: line.id },
      }),
    );
  });

  it("shows the pact that is due next, or the way to make one", async () => {
    open({ body: full });
    const pact = await part("Your pact");
    expect(linksOf(pact)).toEqual(["/learning/pacts", "/learning/create?pact=p1"]);
    expect(within(pact).getByText("Overdue, was due on 20 November 2026")).toBeVisible();
    open({ body: nothingToday });
    expect(await screen.findByRole("link", { name: /^Make a pact/ })).toHaveAttribute(
      "href",
      "/learning/pacts/new",
    );
  });

  it.each([
    [6.4, "7 days left"],
    [1.5, "2 days left"],
    [0.2, "Last day"],
  ])("counts the days in which the guarantee can begin: %s", async (days, left) => {
    const until = new Date(Date.now() + days * 86_400_000).toISOString();
    open({ body: { ...nothingToday, baseline_until: until } });
    const guarantee = await part("Your guarantee");
    expect(linksOf(guarantee)).toEqual(["/progress/guarantee"]);
    expect(guarantee).toHaveTextContent(left);
    expect(guarantee).toHaveTextContent("Without it the guarantee doesn't apply.");
  });

  it("says nothing of the guarantee when its time is over, or there is nothing to write down", async () => {
    open({ body: { ...nothingToday, baseline_until: "2026-01-01T00:00:00Z" } });
    await part("Today");
    expect(screen.queryByText("Your guarantee")).not.toBeInTheDocument();
  });

  it("leads back to the lesson and the article left open", async () => {
    open({ body: full });
    const left = await part("Continue");
    expect(linksOf(left)).toEqual([
      "/knowledge/courses/money/c1?module=ask-for-more",
      "/knowledge/foundations/habits/a1",
    ]);
    expect(within(left).getByText("Lesson in Pricing, 40% done")).toBeVisible();
    expect(within(left).getByText("Article, 4 min")).toBeVisible();
  });

  it("shows the newest words of rooms with their authors", async () => {
    open({ body: full });
    const rooms = await part("In your rooms");
    expect(linksOf(rooms)).toEqual(["/chats/general", "/chats/success"]);
    const [first, second] = within(rooms).getAllByRole("link");
    expect(first).toHaveTextContent(/^.*General 3 unread Tom Baker: Three orders this week/);
    expect(second).toHaveTextContent(/Success You: Three orders this week/);
    expect(second).not.toHaveTextContent("unread");
  });

  it("says so when nothing waits, and leaves out what is empty", async () => {
    open({ body: nothingToday });
    const waiting = await part("Waiting for you");
    expect(within(waiting).getByText(/^Nothing is waiting for you\./)).toBeVisible();
    expect(screen.queryByRole("region", { name: "Continue" })).not.toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "In your rooms" })).not.toBeInTheDocument();
    expect(screen.queryByText("Your next step")).not.toBeInTheDocument();
  });

  it("leads to the record once all four levels are complete", async () => {
    open({ body: { ...nothingToday, level: 4 } });
    const today = await part("Today");
    expect(within(today).getByText("You have completed all four levels.")).toBeVisible();
    expect(within(today).getByRole("link", { name: "See your progress" })).toHaveAttribute(
      "href",
      "/progress",
    );
  });

  it("counts a mentor's questions and leads to the studio and the training", async () => {
    const lesson = { ...full.continue.lesson, is_training: true };
    const answer = {
      ...nothingToday,
      waiting: { count: 0, items: [], questions: 2 },
      continue: { lesson, article: null },
    };
    open({ body: answer }, "/mentordash", "mentor");
    const waiting = await part("Waiting for you · 2");
    const link = within(waiting).getByRole("link", { name: "2 questions are waiting for you" });
    expect(link).toHaveAttribute("href", "/studio");
    expect(linksOf(await part("Continue"))).toEqual(["/studio/training/c1?module=ask-for-more"]);
  });

  it("says of a single question that it is waiting", async () => {
    const answer = { ...nothingToday, waiting: { count: 0, items: [], questions: 1 } };
    open({ body: answer }, "/mentordash", "mentor");
    const waiting = await part("Waiting for you · 1");
    expect(within(waiting).getByText("1 question is waiting for you")).toBeVisible();
  });

  it("leaves the rest of the dashboard usable when it fails, and can be tried again", async () => {
    const { world } = open({ status: 400, body: { code: "XX000", message: "boom" } });
    const alert = await screen.findByText("What's new for you couldn't be loaded");
    expect(await screen.findByText("5 more towards Level 3", { exact: false })).toBeVisible();
    expect(screen.getByRole("link", { name: "Community: Chats" })).toBeVisible();
    world.today = { body: full };
    const box = alert.closest("[role=alert]") as HTMLElement;
    await userEvent.click(within(box).getByRole("button", { name: "Try again" }));
    expect(await part("Continue")).toBeVisible();
  });

  it("is asked for while the progress is still on its way", async () => {
    const { calls } = renderApp("/studentdash", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) =>
        call.endsWith("/user_progress") ? new Promise<undefined>(() => {}) : undefined,
    });
    await waitFor(() => expect(calls()).toContain("POST /rest/v1/rpc/my_today"));
  });

  it("is one request, and is asked again when progress moves or a notification comes", async () => {
    const { world, live, asked } = open({ body: full });
    await part("Today");
    await waitFor(() => expect(live.watchers("user_progress")).toBe(1));
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    world.today = {
      body: { ...full, next_step: { ...full.next_step, done: 21 } },
    };
    const before = asked();
    const moved = { ...progress, message_engagements: 18, updated_at: "2026-11-21T11:00:00+00:00" };
    world.progress = moved;
    act(() => live.change("UPDATE", "user_progress", moved));
    expect(await screen.findByText(/^Read 4 more Knowledge articles/)).toBeVisible();
    expect(asked()).toBe(before + 1);
    world.today = { body: { ...full, waiting: { count: 0, items: [], questions: 0 } } };
    act(() => live.change("INSERT", "notifications", { id: 8, user_id: adaId }));
    expect(await part("Waiting for you")).toBeVisible();
    expect(asked()).toBe(before + 2);
  });
});

describe("the greeting of a dashboard", () => {
  it("welcomes a member who has done nothing yet, and welcomes back the others", async () => {
    const { world, unmount } = open({ body: nothingToday });
    expect(
      await screen.findByRole("heading", { level: 1, name: "Welcome back, Ada" }),
    ).toBeVisible();
    expect(world.progress).toBe(progress);
    unmount();
    renderApp("/studentdash", { session: sessionOf(), rows: memberRows() });
    expect(await screen.findByRole("heading", { level: 1, name: "Welcome, Ada" })).toBeVisible();
  });
});
