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

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const id = "a0000000-0000-4000-8000-000000000001";
const listPath = "/knowledge/foundations/learning";

const article = {
  id,
  slug: "article-1",
  title: "Article 1",
  excerpt: "What it says.",
  featured_image_url: null,
  is_featured: false,
  is_read: false,
  author_id: null,
  author_first_name: null,
  author_role: null,
  estimated_read_time: 4,
  tags: [],
  read_count: 0,
  rating: null,
  rating_count: 0,
  rating_sum: 0,
  created_at: "2026-11-01T00:00:00Z",
  content: "## First things",
  is_published: true,
  subcategory: { slug: "learning", name: "Learning" },
  author: null,
  reads: [],
};

const askedHere = (items: object[]): Reply => ({
  body: { may_ask: true, may_answer: false, may_remove: false, items },
});

/** Opens an article over a server whose other answers are the test's. */
function open(path: string, reply: (call: string) => Reply | undefined) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call }) => (call === "GET /rest/v1/articles" ? { body: [article] } : reply(call)),
  });
}

describe("the questions under an article", () => {
  const asked = (number: number, answer: string | null = null) => ({
    id: `q${number}`,
    question: `Question ${number}`,
    created_at: "2026-11-20T10:00:00+00:00",
    is_own: number === 2,
    asker: "Ada",
    answer,
    answerer: answer === null ? null : "Helen",
  });

  it("are led to by a notification, which gives the one it is about the focus", async () => {
    open(`${listPath}/${id}#question-q2`, (call) =>
      call.endsWith("/questions_of") ? askedHere([asked(1), asked(2, "Because.")]) : undefined,
    );
    const linked = (await screen.findByText("Question 2")).closest("li");
    await waitFor(() => expect(linked).toHaveFocus());
    expect(linked).toHaveAttribute("aria-current", "location");
    expect(screen.getByText("Question 1").closest("li")).not.toHaveAttribute("aria-current");
  });

  it.each([
    ["remove_question", 1, { question_id: "q1", explanation: "It names a client." }],
    ["delete_question", 2, { question_id: "q2" }],
  ] as const)("are deleted by %s, another's with a reason", async (name, number, sent) => {
    const { seen } = open(`${listPath}/${id}`, (call) => {
      if (call.endsWith(`/rpc/${name}`)) return { status: 204 };
      if (!call.endsWith("/questions_of")) return undefined;
      const items = [asked(1), asked(2)];
      return { body: { may_ask: true, may_answer: false, may_remove: true, items } };
    });
    const item = (await screen.findByText(`Question ${number}`)).closest("li");
    await userEvent.click(within(item!).getByRole("button", { name: "Delete question" }));
    const window = within(await screen.findByRole("alertdialog"));
    const confirm = window.getByRole("button", { name: "Delete question" });
    const why = window.queryByRole("textbox", { name: "Why" });
    if ("explanation" in sent) {
      await userEvent.click(confirm);
      expect(why).toHaveAccessibleDescription(/Tell the author why/);
      await userEvent.type(why!, sent.explanation);
    } else expect(why).toBeNull();
    await userEvent.click(confirm);
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    const deleted = seen.filter(({ call }) => /\/rpc\/(?:remove|delete)_question$/.test(call));
    expect(deleted.map(({ call, body }) => [call, body])).toEqual([
      [expect.stringContaining(name), sent],
    ]);
  });

  it("say which answers helped, and let who asked mark theirs and take the mark back", async () => {
    let isHelpful = false;
    let answers: Reply[] = [];
    const { seen } = open(`${listPath}/${id}`, (call) => {
      if (call.endsWith("/mark_answer_helpful")) {
        isHelpful = !isHelpful;
        return answers.shift() ?? { status: 204 };
      }
      if (!call.endsWith("/questions_of")) return undefined;
      // A host of an earlier release says neither.
      const other = { ...asked(1, "Yes."), is_helpful: true, may_mark: false };
      const own = { ...asked(2, "Because."), is_helpful: isHelpful, may_mark: true };
      return askedHere([other, own, asked(3, "No.")]);
    });
    const itemOf = (number: number) => {
      const item = screen.getByText(`Question ${number}`).closest("li");
      return within(item!);
    };
    await screen.findByText("Question 2");
    expect(itemOf(1).getByText("Helpful")).toBeVisible();
    expect(itemOf(3).queryByText("Helpful")).toBeNull();
    for (const number of [1, 3]) {
      expect(itemOf(number).queryByRole("button", { name: "This was helpful" })).toBeNull();
    }
    const button = itemOf(2).getByRole("button", { name: "This was helpful", pressed: false });
    await userEvent.click(button);
    expect(await itemOf(2).findByText("Helpful")).toBeVisible();
    expect(button).toHaveAttribute("aria-pressed", "true");
    expect(button).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(itemOf(2).queryByText("Helpful")).toBeNull());
    const marks = seen.filter(({ call }) => call.endsWith("/mark_answer_helpful"));
    expect(marks.map(({ body }) => body)).toEqual([
      { question_id: "q2", is_helpful: true },
      { question_id: "q2", is_helpful: false },
    ]);
    answers = [{ status: 400, body: { code: "FF725", message: "Refused" } }];
    await userEvent.click(button);
    expect(
      await screen.findByText("That wasn't saved. This answer is no longer here."),
    ).toBeVisible();
  });

  it("give the one that was just asked the focus", async () => {
    let isAsked = false;
    open(`${listPath}/${id}`, (call) => {
      if (call.endsWith("/ask_question")) {
        isAsked = true;
        return { status: 204 };
      }
      if (!call.endsWith("/questions_of")) return undefined;
      return askedHere(isAsked ? [asked(1), asked(2)] : [asked(1)]);
    });
    await userEvent.type(await screen.findByLabelText("Ask a question"), "Question 2{Tab}{Enter}");
    const mine = (await screen.findByText("Question 2")).closest("li");
    await waitFor(() => expect(mine).toHaveFocus());
  });

  it("show an answer as soon as the bell tells of it", async () => {
    let answer: string | null = null;
    const line = (number: number, kind: string) => ({
      id: number,
      kind,
      created_at: "2026-11-20T10:00:00+00:00",
      unread: true,
      detail: null,
      actor: "Helen",
      others: 0,
    });
    let reads = 0;
    const bell = [line(4, "message_like")];
    const { live } = open(`${listPath}/${id}`, (call) => {
      if (call.endsWith("/my_notifications")) {
        return { body: { ...nothingTold, unread: bell.length, items: bell } };
      }
      if (!call.endsWith("/questions_of")) return undefined;
      reads += 1;
      return askedHere([asked(1, "Known before."), asked(2, answer)]);
    });
    expect(await screen.findByText("Question 2")).toBeVisible();
    await screen.findByRole("button", { name: "Notifications, 1 unread" });
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    const readsBefore = reads;
    answer = "Because it is quiet.";
    bell.unshift(line(5, "reply"));
    live.change("INSERT", "notifications", { id: 5, user_id: adaId });
    await screen.findByRole("button", { name: "Notifications, 2 unread" });
    expect(reads).toBe(readsBefore);
    bell.unshift(line(6, "answer"));
    live.change("INSERT", "notifications", { id: 6, user_id: adaId });
    expect(await screen.findByText("Because it is quiet.")).toBeVisible();
    // By a word, not by colour alone.
    const itemOf = (words: string) => within(screen.getByText(words).closest("li")!);
    expect(itemOf("Because it is quiet.").getByText("New")).toBeVisible();
    expect(itemOf("Known before.").queryByText("New")).toBeNull();
  });
});
