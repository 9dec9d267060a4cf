import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const grace = {
  id: "99999999-9999-4999-8999-999999999999",
  first_name: "Grace",
  last_name: "Hopper",
  role: "mentor",
  occupation: "Admiral",
};
const ada = {
  id: adaId,
  first_name: "Ada",
  last_name: "Lovelace",
  role: "student",
  occupation: null,
};

function rowOf(id: string, differs: object = {}) {
  return {
    id,
    user_id: grace.id,
    submission_type: "success",
    title: `Title ${id}`,
    content: `Content of ${id}`,
    image_url: null,
    is_featured: false,
    like_count: 2,
    comment_count: 0,
    created_at: "2026-11-20T10:00:00+00:00",
    author: grace,
    likes: [],
    ...differs,
  };
}

function open({ rows, comments }: { rows: readonly object[]; comments: object[] }) {
  return renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/learning_submissions") return { body: rows };
      if (call === "GET /rest/v1/learning_submission_comments") return { body: comments };
      return undefined;
    },
  });
}

const card = (title: string) => screen.findByRole("article", { name: title });

it("shows the first comment, until all comments are open", async () => {
  const first = {
    id: "c1",
    user_id: adaId,
    content: "How did you **begin**?",
    created_at: "2026-11-20T11:00:00+00:00",
    author: ada,
  };
  open({
    rows: [rowOf("s1", { comment_count: 2, comments: [first] }), rowOf("s2")],
    comments: [first],
  });
  const shown = await card("Title s1");
  expect(await within(shown).findByText("How did you begin?")).toBeVisible();
  expect(within(shown).getByText("Ada Lovelace")).toBeVisible();
  expect(within(await card("Title s2")).queryByText("Ada Lovelace")).not.toBeInTheDocument();
  await userEvent.click(within(shown).getByRole("button", { name: "Comments 2" }));
  expect(await within(shown).findByRole("textbox", { name: "Your comment" })).toBeVisible();
  expect(within(shown).getAllByText("Ada Lovelace")).toHaveLength(1);
});
