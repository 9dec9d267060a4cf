import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { setLetterKeysWanted } from "@/domain/letter-keys.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  sessionStorage.clear();
});

const ada = {
  id: adaId,
  first_name: "Ada",
  last_name: "Lovelace",
  role: "student",
  occupation: null,
};
const post = (id: string, comments: number) => ({
  id,
  user_id: adaId,
  submission_type: "success",
  title: `Title ${id}`,
  content: `Content of ${id}`,
  image_url: null,
  is_featured: false,
  like_count: 0,
  comment_count: comments,
  created_at: "2026-11-20T10:00:00+00:00",
  author: ada,
  likes: [],
});
const comment = {
  id: "c1",
  submission_id: "two",
  user_id: adaId,
  content: "Well done",
  created_at: "2026-11-20T11:00:00+00:00",
  author: ada,
};

async function openFeed() {
  renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/learning_submissions") {
        return { body: [post("one", 0), post("two", 1), post("three", 0)] };
      }
      if (call === "GET /rest/v1/learning_submission_comments") return { body: [comment] };
      return undefined;
    },
  });
  await screen.findByRole("article", { name: "Title one" });
}
const article = (name: string) => screen.getByRole("article", { name: `Title ${name}` });

it("leads from post to post by J and K, also from within one and its comments", async () => {
  await openFeed();
  await userEvent.keyboard("j");
  expect(article("one")).toHaveFocus();
  await userEvent.keyboard("j");
  expect(article("two")).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  expect(article("two")).toHaveFocus();
  const comments = screen.getAllByRole("button", { name: /^Comments/ })[1] as HTMLElement;
  await userEvent.click(comments);
  const menu = await waitFor(() => {
    const found = article("two").querySelector<HTMLElement>(":scope li button");
    if (found === null) throw new Error("no comment yet");
    return found;
  });
  menu.focus();
  await userEvent.keyboard("j");
  expect(article("three")).toHaveFocus();
  await userEvent.keyboard("k");
  expect(article("two")).toHaveFocus();
});

it("leaves J and K to fields, and to members who turned keys of one letter off", async () => {
  await openFeed();
  await userEvent.click(screen.getAllByRole("button", { name: /^Comments/ })[0] as HTMLElement);
  const field = await screen.findByRole("textbox");
  await userEvent.type(field, "jk");
  expect(field).toHaveValue("jk");
  setLetterKeysWanted(false);
  try {
    article("one").focus();
    await userEvent.keyboard("j");
    expect(article("one")).toHaveFocus();
    article("one").blur();
    await userEvent.keyboard("j");
    expect(document.body).toHaveFocus();
  } finally {
    setLetterKeysWanted(true);
  }
});
