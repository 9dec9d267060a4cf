import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const submissionId = "11111111-1111-4111-8111-111111111111";
const tomId = "22222222-2222-4222-8222-222222222222";
const commentId = "33333333-3333-4333-8333-333333333333";
const grace = { id: "99999999-9999-4999-8999-999999999999", first_name: "Grace", role: "mentor" };
const author = { last_name: null, occupation: null };

const row = (content: string, userId = grace.id) => ({
  id: submissionId,
  user_id: userId,
  submission_type: "success",
  title: "Ten clients",
  content,
  image_url: null,
  is_featured: false,
  like_count: 0,
  comment_count: 1,
  created_at: "2026-11-20T10:00:00+00:00",
  author: { ...author, ...grace, id: userId },
  likes: [],
});
const comment = {
  id: commentId,
  user_id: grace.id,
  content: "Ask @Ada Byron, @Tom Baker or @Tom Twin",
  created_at: "2026-11-20T11:00:00+00:00",
  author: { ...author, ...grace },
};
const named = [
  { subject_id: commentId, name: "Ada Byron", user_id: adaId, is_you: true },
  { subject_id: commentId, name: "Tom Baker", user_id: tomId, is_you: false },
  { subject_id: commentId, name: "Tom Twin", user_id: null, is_you: false },
  { subject_id: submissionId, name: "Tom <b>Baker</b>", user_id: tomId, is_you: false },
];

interface Opening {
  readonly path?: string;
  readonly userId?: string;
  readonly replies?: Readonly<Record<string, Reply>>;
}

function open(content: string, { path = "", userId = grace.id, replies = {} }: Opening = {}) {
  const fixed: Record<string, Reply> = {
    "GET /rest/v1/learning_submissions": { body: [row(content, userId)] },
    "GET /rest/v1/learning_submission_comments": { body: [comment] },
    "POST /rest/v1/rpc/mentions_in": { body: named },
    "POST /rest/v1/rpc/mentionable_members": {
      body: [{ user_id: tomId, name: "Tom Baker", avatar_url: null }],
    },
  };
  const view = renderApp(`/learning/submissions${path}`, {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => replies[call] ?? fixed[call],
  });
  const bodies = (name: string) =>
    view.seen
      .filter(
        ({ call }) => call === `POST /rest/v1/rpc/${name}` || call === `POST /rest/v1/${name}`,
      )
      .map(({ body }) => body);
  return { ...view, bodies };
}

describe("a text of a submission or comment", () => {
  it("shows light Markdown, and names as the server says whom they mean", async () => {
    const { bodies } = open("**Bold** by @Tom <b>Baker</b>, `@Tom <b>Baker</b>`", {
      path: `?submission=${submissionId}&comments=open`,
    });
    const shown = await screen.findByRole("article", { name: "Ten clients" });
    expect(within(shown).getByText("Bold").tagName).toBe("STRONG");
    const link = await within(shown).findByRole("link", { name: "Tom <b>Baker</b>" });
    expect(link).toHaveAttribute("href", `/members/${tomId}`);
    expect(within(shown).getByText("@Tom <b>Baker</b>").tagName).toBe("CODE");
    const tom = await within(shown).findByRole("link", { name: "Tom Baker" });
    expect(tom.closest("[data-mention]")).toHaveAttribute("data-mention", "other");
    const own = within(shown).getByRole("link", { name: "Ada Byron" });
    expect(own.closest("[data-mention]")).toHaveAttribute("data-mention", "you");
    expect(within(shown).queryByRole("link", { name: "Tom Twin" })).toBeNull();
    expect(within(shown).getByText("Tom Twin").closest("[data-mention]")).not.toBeNull();
    expect(bodies("mentions_in").length).toBeLessThanOrEqual(2);
  });

  it("asks nothing about a text without a name", async () => {
    const { bodies } = open("Mail me: ada@example.com, or @ noon");
    expect(await screen.findByText(/Mail me/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "More about “Ten clients”" }));
    await screen.findByRole("menuitem", { name: "Copy link" });
    expect(bodies("mentions_in")).toEqual([]);
  });
});

describe("naming a member", () => {
  it("in a comment tells whom the writer picked, by keyboard, and nobody whose name went", async () => {
    const { bodies } = open("Text");
    await userEvent.click(await screen.findByRole("button", { name: "Comments 1" }));
    const field = await screen.findByLabelText("Your comment");
    await userEvent.type(field, "Ask @to");
    const option = await screen.findByRole("option", { name: "Tom Baker", selected: true });
    expect(field).toHaveAttribute("aria-activedescendant", option.id);
    expect(bodies("mentionable_members").at(-1)).toEqual({ typed: "to" });
    await userEvent.keyboard("{Enter}");
    expect(field).toHaveValue("Ask @Tom Baker ");
    expect(screen.queryByRole("listbox")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Comment" }));
    await waitFor(() => expect(bodies("learning_submission_comments")).toHaveLength(1));
    expect(bodies("learning_submission_comments")[0]).toMatchObject({ mentioned: [tomId] });
    await waitFor(() => expect(field).toHaveValue(""));
    await userEvent.type(field, "Nobody");
    await userEvent.click(screen.getByRole("button", { name: "Comment" }));
    await waitFor(() => expect(field).toHaveValue(""));
    expect(bodies("learning_submission_comments")).toHaveLength(2);
    expect(bodies("learning_submission_comments")[1]).not.toHaveProperty("mentioned");
    expect(bodies("mention_in_comment")).toEqual([]);
  });

  it("in an edit closes the list, not the window, with Escape", async () => {
    const { bodies } = open("Thanks", { userId: adaId });
    await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
    const form = within(await screen.findByRole("dialog", { name: "Edit submission" }));
    const field = form.getByLabelText("Content");
    await userEvent.type(field, " @to");
    await form.findByRole("listbox");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(form.queryByRole("listbox")).toBeNull());
    await userEvent.type(field, "m");
    expect(form.queryByRole("listbox")).toBeNull();
    await userEvent.type(field, " @to");
    await userEvent.click(await form.findByRole("option", { name: "Tom Baker" }));
    expect(field).toHaveValue("Thanks @tom @Tom Baker ");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(bodies("edit_submission")).toMatchObject([
        { content: "Thanks @tom @Tom Baker", mentioned: [tomId] },
      ]),
    );
    expect(bodies("mention_in_submission")).toEqual([]);
  });
});

describe("a report", () => {
  it("of a submission or a comment needs a reason and says what went wrong", async () => {
    const replies: Record<string, Reply> = {};
    const { bodies } = open("Text", { replies });
    await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Report" }));
    const window = within(await screen.findByRole("dialog", { name: "Report this submission" }));
    await userEvent.click(window.getByRole("button", { name: "Send report" }));
    expect(await window.findByText(/^Choose what's wrong, or say it/)).toBeVisible();
    await userEvent.type(window.getByLabelText("In your own words"), " Spam ");
    await userEvent.click(window.getByRole("button", { name: "Send report" }));
    expect(await screen.findByText("Thank you. An administrator will look at it.")).toBeVisible();
    expect(bodies("report")).toEqual([
      { kind: "submission", subject_id: submissionId, reason: "Spam" },
    ]);
    replies["POST /rest/v1/rpc/report"] = {
      status: 400,
      body: { code: "FF333", message: "gone" },
    };
    await userEvent.click(screen.getByRole("button", { name: "Comments 1" }));
    await userEvent.click(
      await screen.findByRole("button", { name: "Report the comment by Grace" }),
    );
    const other = within(await screen.findByRole("dialog", { name: "Report this comment" }));
    await userEvent.type(other.getByLabelText("In your own words"), "Spam");
    await userEvent.click(other.getByRole("button", { name: "Send report" }));
    expect(
      await other.findByText("We couldn't send your report. This comment is no longer here."),
    ).toBeVisible();
  });

  it("of one's own is not offered", async () => {
    open("Text", { userId: adaId });
    await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
    await screen.findByRole("menuitem", { name: "Copy link" });
    expect(screen.queryByRole("menuitem", { name: "Report" })).toBeNull();
  });
});
