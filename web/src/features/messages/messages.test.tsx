import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const tomId = "22222222-2222-4222-8222-222222222222";
const conversationId = "33333333-3333-4333-8333-333333333333";
const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

// The page has no layout here; every element is said to be of one size, so that rows are drawn.
class EvenObserver {
  readonly #tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    const contentRect = { width: 800, height: target.getAttribute("role") === "log" ? 600 : 50 };
    queueMicrotask(() =>
      this.#tell([{ target, contentRect } as unknown as ResizeObserverEntry], this),
    );
  }
  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal("ResizeObserver", EvenObserver);
  vi.spyOn(HTMLElement.prototype, "offsetParent", "get").mockImplementation(function parent(
    this: HTMLElement,
  ) {
    return this.parentElement;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const tom = {
  id: tomId,
  name: "Tom Ashworth",
  role: "student",
  occupation: "Bookkeeper",
  avatar_url: null,
};

const head = (differs: object = {}) => ({
  conversation_id: conversationId,
  member: tom,
  door: "open",
  last_read_at: null,
  ...differs,
});

type Answers = Readonly<Record<string, Reply | ((body: unknown) => Reply)>>;

function open(path: string, answers: Answers, { level = 1, role = "student" } = {}) {
  return renderApp(path, {
    session: sessionOf(),
    rows: { ...memberRows({ role }), direct_messages: [], message_choices: null },
    reply: ({ call, body }) => {
      if (call === rpc("effective_level")) return { body: level };
      if (call === rpc("my_blocks")) return { body: [] };
      const answer = answers[call];
      return typeof answer === "function" ? answer(body) : answer;
    },
  });
}

it("says that a conversation couldn't be loaded when the member's level couldn't", async () => {
  renderApp(`/messages/${conversationId}`, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => (call === rpc("effective_level") ? { status: 500, body: {} } : undefined),
  });
  const failure = "We couldn't load this conversation";
  expect(await screen.findByText(failure, {}, { timeout: 15_000 })).toBeVisible();
});

describe("the list of conversations", () => {
  it("leads to the members to begin another conversation", async () => {
    const answers = {
      [rpc("my_conversations")]: {
        body: [
          {
            conversation_id: conversationId,
            member: tom,
            last_message_at: "2026-11-25T09:00:00.123456+00:00",
            excerpt: "See you",
            is_own: false,
            unread: 0,
          },
        ],
      },
    };
    open("/messages", answers);
    expect(await screen.findByRole("list", { name: "Conversations" })).toBeVisible();
    expect(screen.getByRole("link", { name: "New message" })).toHaveAttribute("href", "/members");
    expect(screen.getByRole("link", { name: "choose who can message you" })).toHaveAttribute(
      "href",
      "/account#messages",
    );
  });

  it("shows whom one writes with, the last words and what is unread, also in the rail", async () => {
    open("/messages", {
      [rpc("my_conversations")]: {
        body: [
          {
            conversation_id: conversationId,
            member: tom,
            last_message_at: "2026-11-25T09:00:00.123456+00:00",
            excerpt: "About **VAT**",
            is_own: false,
            unread: 3,
          },
          {
            conversation_id: "44444444-4444-4444-8444-444444444444",
            member: { ...tom, id: "55555555-5555-4555-8555-555555555555", name: "Mia Clarke" },
            last_message_at: "2026-11-24T09:00:00+00:00",
            excerpt: "",
            is_own: true,
            unread: 0,
          },
        ],
      },
      [rpc("unread_conversations")]: { body: 1 },
    });
    const list = within(await screen.findByRole("list", { name: "Conversations" }));
    const [first, second] = list.getAllByRole("link");
    expect(first).toHaveAttribute("href", `/messages/${tomId}`);
    expect(first).toHaveTextContent(/Tom Ashworth.*About VAT.*3 unread/);
    expect(second).toHaveTextContent(/Mia Clarke.*This message was deleted\./);
    // The list says it; in the rail it would be the same number once more.
    const [rail, bar] = screen.getAllByRole("navigation", { name: /^(Main|Chats)$/ });
    expect(within(rail as HTMLElement).queryByText(/unread/)).not.toBeInTheDocument();
    expect(within(bar as HTMLElement).queryByText(/unread/)).not.toBeInTheDocument();
  });

  it("offers the directory while there is none, and says when it cannot be read", async () => {
    open("/messages", { [rpc("my_conversations")]: { body: [] } });
    expect(await screen.findByRole("link", { name: "Find a member" })).toHaveAttribute(
      "href",
      "/members",
    );
  });

  it("is for members", async () => {
    open("/messages", {}, { level: 0 });
    expect(await screen.findByText(/Messages are for members/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "New message" })).not.toBeInTheDocument();
  });
});

describe("a conversation", () => {
  it("sends what is typed to the member, and shows it at once", async () => {
    const sent: unknown[] = [];
    open(`/messages/${tomId}`, {
      [rpc("direct_conversation")]: { body: head({ conversation_id: null }) },
      [rpc("send_direct_message")]: (body) => {
        sent.push(body);
        const { message_id, content } = body as { message_id: string; content: string };
        return {
          body: {
            id: message_id,
            conversation_id: conversationId,
            user_id: adaId,
            content,
            parent_message_id: null,
            created_at: "2026-11-25T09:00:00.000001+00:00",
            edited_at: null,
            deleted_at: null,
            changed_at: "2026-11-25T09:00:00.000001+00:00",
          },
        };
      },
    });
    const field = await screen.findByRole("textbox", { name: "Message to Tom Ashworth" });
    expect(screen.getByRole("heading", { level: 1, name: /Tom Ashworth/ })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Add a picture" })).toBeNull();
    expect(await screen.findByText("No messages with Tom Ashworth yet.")).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^Tom Ashworth/));
    await userEvent.type(field, "May I ask?{Enter}");
    expect(await screen.findByRole("article", { name: /^Ada Lovelace/ })).toHaveTextContent(
      "May I ask?",
    );
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ recipient_id: tomId, content: "May I ask?" });
    expect(field).toHaveValue("");
    expect(screen.queryByText("No messages with Tom Ashworth yet.")).toBeNull();
  });

  it("gives the text back with the reason when the door has closed", async () => {
    open(`/messages/${tomId}`, {
      [rpc("direct_conversation")]: { body: head() },
      [rpc("send_direct_message")]: {
        status: 400,
        body: { code: "FF810", message: "This member is not taking messages from you." },
      },
    });
    const field = await screen.findByRole("textbox", { name: "Message to Tom Ashworth" });
    await userEvent.type(field, "Hello{Enter}");
    expect(
      await screen.findByText(/wasn't sent.*This member is not taking messages from you/),
    ).toBeVisible();
    expect(field).toHaveValue("Hello");
  });

  it.each([
    ["closed", /^Tom Ashworth isn't taking messages from you at the moment\.$/],
    ["own", /^You've switched off direct messages/],
  ])("has no field behind a door that is %s", async (door, text) => {
    open(`/messages/${tomId}`, { [rpc("direct_conversation")]: { body: head({ door }) } });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByRole("textbox", { name: /^Message to/ })).toBeNull();
  });

  it("with a member one has blocked can be opened again", async () => {
    let blocked = true;
    open(`/messages/${tomId}`, {
      [rpc("direct_conversation")]: () => ({ body: head({ door: blocked ? "blocked" : "open" }) }),
      [rpc("unblock_member")]: () => {
        blocked = false;
        return { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Unblock Tom Ashworth" }));
    expect(await screen.findByRole("textbox", { name: "Message to Tom Ashworth" })).toBeVisible();
  });

  it("that does not exist says so, without a request for an address of another form", async () => {
    const { seen } = open("/messages/nobody", {});
    await screen.findByRole("heading", { name: "This conversation isn't available" });
    expect(seen.some(({ call }) => call === rpc("direct_conversation"))).toBe(false);
  });

  it("begins with the draft of the address, as text", async () => {
    const draft = "About your request “<img src=x onerror=alert(1)>”:\n";
    open(`/messages/${tomId}?${new URLSearchParams({ draft }).toString()}`, {
      [rpc("direct_conversation")]: { body: head() },
    });
    expect(await screen.findByRole("textbox", { name: "Message to Tom Ashworth" })).toHaveValue(
      draft,
    );
  });
});

it("lets a member choose who may write to them", async () => {
  const saved: unknown[] = [];
  open("/account#messages", {
    [rpc("set_message_choice")]: (body) => {
      saved.push(body);
      return { status: 204 };
    },
  });
  const choice = within(await screen.findByRole("group", { name: "Who can message you" }));
  expect(choice.getByRole("radio", { name: /Every member/ })).toBeChecked();
  await userEvent.click(choice.getByRole("radio", { name: /Nobody/ }));
  await waitFor(() => expect(saved).toEqual([{ accepts: "nobody" }]));
  expect(await choice.findByText("Saved.")).toBeVisible();
});
