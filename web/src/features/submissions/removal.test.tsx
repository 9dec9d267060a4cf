import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const person = (id: string, first_name: string) => ({
  id,
  first_name,
  last_name: "Hopper",
  role: "student",
  occupation: null,
});
const [ada, grace] = [
  person(adaId, "Ada"),
  person("99999999-9999-4999-8999-999999999999", "Grace"),
];
const created_at = "2026-11-20T10:00:00+00:00";
const submission = (author: typeof ada) => ({
  id: "s1",
  user_id: author.id,
  submission_type: "success",
  title: "Ten clients",
  content: "How.",
  image_url: null,
  is_featured: false,
  like_count: 0,
  comment_count: 2,
  created_at,
  author,
  likes: [],
});
const comments = [grace, ada].map((author) => ({
  id: `by-${author.first_name}`,
  user_id: author.id,
  submission_id: "s1",
  content: `Said by ${author.first_name}`,
  created_at,
  author,
}));

/** The feed as Ada sees it, and what she asked to be deleted by the function of that name. */
function feed({ role, author = grace }: { role: string; author?: typeof ada }) {
  const { seen } = renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows({ role }),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/learning_submissions") return { body: [submission(author)] };
      if (call === "GET /rest/v1/learning_submission_comments") return { body: comments };
      return /\/rpc\/delete_/.test(call) ? { status: 204 } : undefined;
    },
  });
  return (name: string) =>
    seen.filter(({ call }) => call.endsWith(`/rpc/${name}`)).map(({ body }) => body);
}

async function askToDelete(title: string) {
  return within(await screen.findByRole("alertdialog", { name: title }));
}

async function askToDeleteSubmission() {
  await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  return await askToDelete("Delete this submission?");
}

async function askToDeleteComment(name: string) {
  const opener = await screen.findByRole("button", { name: /^Comments/ });
  if (opener.getAttribute("aria-expanded") !== "true") await userEvent.click(opener);
  await userEvent.click(await screen.findByRole("button", { name }));
  return await askToDelete("Delete this comment?");
}

it("asks an administrator why another's submission goes, and deletes nothing before there is a reason", async () => {
  const deleted = feed({ role: "admin" });
  const question = await askToDeleteSubmission();
  await waitFor(() =>
    expect(question.getByRole("combobox", { name: "Common reasons" })).toHaveFocus(),
  );
  await userEvent.click(question.getByRole("button", { name: "Delete submission" }));
  const why = question.getByRole("textbox", { name: "Why" });
  expect(why).toHaveAccessibleDescription(
    /Tell the author why.*not who deleted it|not who deleted it.*Tell the author why/,
  );
  expect(deleted("delete_submission")).toEqual([]);
  await userEvent.type(why, " It sells coins. ");
  await userEvent.click(question.getByRole("button", { name: "Delete submission" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted("delete_submission")).toEqual([
    { submission_id: "s1", explanation: "It sells coins." },
  ]);
});

it("asks an administrator why another's comment goes, each time anew", async () => {
  const deleted = feed({ role: "admin" });
  const question = await askToDeleteComment("Delete the comment by Grace Hopper");
  await userEvent.click(question.getByRole("button", { name: "Delete comment" }));
  expect(deleted("delete_comment")).toEqual([]);
  await userEvent.type(question.getByRole("textbox", { name: "Why" }), "Rude");
  await userEvent.click(question.getByRole("button", { name: "Delete comment" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted("delete_comment")).toEqual([{ comment_id: "by-Grace", explanation: "Rude" }]);
  const next = await askToDeleteComment("Delete the comment by Grace Hopper");
  expect(next.getByRole("textbox", { name: "Why" })).toHaveValue("");
});

it.each(["student", "admin"])("asks no %s for a reason to delete their own", async (role) => {
  const deleted = feed({ role, author: ada });
  const comment = await askToDeleteComment("Delete the comment by Ada Hopper");
  expect(comment.queryByRole("textbox")).toBeNull();
  await userEvent.click(comment.getByRole("button", { name: "Delete comment" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted("delete_comment")).toEqual([{ comment_id: "by-Ada" }]);
  const question = await askToDeleteSubmission();
  expect(question.queryByRole("textbox")).toBeNull();
  await userEvent.click(question.getByRole("button", { name: "Delete submission" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted("delete_submission")).toEqual([{ submission_id: "s1" }]);
});
