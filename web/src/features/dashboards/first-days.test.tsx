import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import {
  adaId,
  memberRows,
  nothingToday,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";

const dayMs = 86_400_000;
const progress = {
  chat_rooms_opened: ["general", "success"],
  learning_submissions: 0,
  message_engagements: 0,
  articles_read_by_category: {},
  courses_completed_by_category: {},
  updated_at: "2026-11-21T10:00:00+00:00",
};
const room = {
  level: 1,
  kind: "rooms",
  category: null,
  needed: 5,
  done: 2,
  room: "motivation",
};
const isHello = (call: string) => call === "GET /rest/v1/chat_messages";
const isSent = (call: string) => call === "POST /rest/v1/chat_messages";

interface World {
  readonly days?: number;
  readonly level?: number;
  readonly role?: string;
  readonly today?: object;
  readonly done?: Partial<typeof progress>;
  readonly hello?: boolean;
  /** What sending answers, in turn. */
  readonly sent?: Reply[];
}

function open({
  days = 1,
  level = 1,
  role = "student",
  today,
  done,
  hello,
  sent = [],
}: World = {}) {
  const session = sessionOf();
  const joined = new Date(Date.now() - days * dayMs).toISOString();
  let isSaid = hello ?? false;
  return renderApp(role === "mentor" ? "/mentordash" : "/studentdash", {
    session: { ...session, user: { ...session.user, created_at: joined } },
    rows: memberRows({ level, role }),
    reply: ({ call, body }) => {
      if (call === "GET /rest/v1/user_progress") return { body: [{ ...progress, ...done }] };
      if (call.endsWith("/rpc/my_today")) {
        return { body: { ...nothingToday, level, next_step: room, pact: null, ...today } };
      }
      if (isHello(call)) return { body: isSaid ? [{ id: "m1" }] : [] };
      if (!isSent(call)) return undefined;
      const answer = sent.shift();
      if (answer !== undefined) return answer;
      isSaid = true;
      const row = {
        ...(body as object),
        like_count: 0,
        created_at: "2026-11-28T10:00:00+00:00",
        edited_at: null,
        deleted_at: null,
        changed_at: "2026-11-28T10:00:00+00:00",
        picture: null,
        picture_width: null,
        picture_height: null,
        picture_alt: null,
      };
      return { status: 201, body: row };
    },
  });
}

const list = async () => within(await screen.findByRole("region", { name: "Your first days" }));

afterEach(() => sessionStorage.clear());

describe("a new student's Home", () => {
  it("begins with what to do first, each a way to do it", async () => {
    open({ today: { baseline_until: new Date(Date.now() + 3.5 * dayMs).toISOString() } });
    const first = await list();
    expect(first.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^Say hello in General/),
      expect.stringMatching(/^Open your rooms 2 of 5 opened/),
      expect.stringMatching(/^Make a pact/),
      expect.stringMatching(/^Write down what you earn a month 4 days left/),
      expect.stringMatching(/^Share your first submission/),
    ]);
    expect(first.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/chats/motivation",
      "/learning/pacts/new",
      "/progress/guarantee",
      "/learning/create",
    ]);
    // Nothing is said twice.
    expect(screen.queryByText("Your next step")).not.toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Your guarantee" })).not.toBeInTheDocument();
    expect(screen.queryByRole("region", { name: "Your pact" })).not.toBeInTheDocument();
  });

  it("sends the greeting to General from there, and ticks it", async () => {
    const { seen } = open();
    const first = await list();
    const button = first.getByRole("button", { name: "Send" });
    expect(button).toBeDisabled();
    await userEvent.type(first.getByLabelText("Say hello in General"), " Hello, I am Ada ");
    await userEvent.click(button);
    const done = await first.findByRole("link", { name: /^Done:\s*Say hello in General/ });
    expect(done).toHaveAttribute("href", "/chats/general");
    expect(seen.find(({ call }) => isSent(call))?.body).toMatchObject({
      user_id: adaId,
      chat_room_id: "general",
      content: "Hello, I am Ada",
      message_type: "message",
    });
    expect(first.queryByRole("textbox")).not.toBeInTheDocument();
    // Where it was written.
    expect(first.getByText("Hello, I am Ada")).toBeVisible();
    // In the room's message field one press would send it again.
    expect(sessionStorage.getItem(`message-draft-${adaId}-general`)).toBeNull();
  });

  it("says where the greeting is while no room was opened, and leads there", async () => {
    open({ hello: true, done: { chat_rooms_opened: [] } });
    const rooms = (await list()).getByRole("link", { name: /^Open your rooms/ });
    expect(rooms).toHaveTextContent("Your message is in General. Open the room to see the answers");
    expect(rooms).toHaveTextContent("it's the first of 5.");
    expect(rooms).toHaveAttribute("href", "/chats/general");
  });

  it("sends the greeting with Enter, as in the room, and starts a line with Shift and Enter", async () => {
    const { seen } = open();
    const first = await list();
    const field = first.getByLabelText("Say hello in General");
    await userEvent.type(field, "Hello{Shift>}{Enter}{/Shift}all{Enter}");
    expect(await first.findByRole("link", { name: /^Done:\s*Say hello/ })).toBeVisible();
    expect(seen.filter(({ call }) => isSent(call)).map(({ body }) => body)).toEqual([
      expect.objectContaining({ content: "Hello\nall" }),
    ]);
  });

  it("keeps a greeting that was not sent, and sends it again as the same message", async () => {
    const { seen } = open({ sent: [{ status: 400, body: { code: "XX000", message: "boom" } }] });
    const first = await list();
    const field = first.getByLabelText("Say hello in General");
    await userEvent.type(field, "Hello");
    await userEvent.click(first.getByRole("button", { name: "Send" }));
    expect(await first.findByText("Your message wasn't sent. Please try again.")).toBeVisible();
    expect(field).toHaveValue("Hello");
    await userEvent.click(first.getByRole("button", { name: "Send" }));
    expect(await first.findByRole("link", { name: /^Done:\s*Say hello/ })).toBeVisible();
    const ids = seen
      .filter(({ call }) => isSent(call))
      .map(({ body }) => (body as { id: string }).id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("ticks what was done elsewhere", async () => {
    open({
      hello: true,
      done: { learning_submissions: 1 },
      today: { pact: { id: "p1", title: "Call", due_on: "2099-01-01", is_overdue: false } },
    });
    const first = await list();
    expect(first.getAllByRole("link", { name: /^Done:\s*/ })).toHaveLength(3);
    expect(first.getByRole("link", { name: /^Open your rooms/ })).toBeVisible();
    expect(await screen.findByRole("region", { name: "Your pact" })).toBeVisible();
  });

  it.each<[string, World]>([
    ["after the first week", { days: 8 }],
    ["from the second level on", { level: 2 }],
    ["for a mentor", { role: "mentor" }],
    [
      "once all of it is done",
      {
        hello: true,
        done: { learning_submissions: 1, chat_rooms_opened: ["a", "b", "c", "d", "e"] },
        today: { pact: { id: "p1", title: "Call", due_on: "2099-01-01", is_overdue: false } },
      },
    ],
  ])("begins with the next step %s", async (_when, world) => {
    open(world);
    expect(await screen.findByText("Your next step")).toBeVisible();
    await waitFor(() => expect(screen.getByRole("region", { name: "Sections" })).toBeVisible());
    expect(screen.queryByRole("region", { name: "Your first days" })).not.toBeInTheDocument();
  });
});
