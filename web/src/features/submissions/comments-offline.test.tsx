import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const author = { id: adaId, first_name: "Ada", last_name: "Lovelace", role: "student" };
const submission = {
  id: "s1",
  user_id: adaId,
  submission_type: "success",
  title: "Ten clients",
  content: "How.",
  image_url: null,
  is_featured: false,
  like_count: 0,
  comment_count: 1,
  created_at: "2026-11-20T10:00:00+00:00",
  author,
  likes: [],
};
const comment = {
  id: "c1",
  submission_id: "s1",
  user_id: adaId,
  content: "Well done.",
  created_at: "2026-11-20T11:00:00+00:00",
  author,
};

afterEach(() => fireEvent(window, new Event("online")));

it("says that comments opened offline load later, and loads them then", async () => {
  renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/learning_submissions") return { body: [submission] };
      if (call === "GET /rest/v1/learning_submission_comments") return { body: [comment] };
      return undefined;
    },
  });
  const card = within(await screen.findByRole("article", { name: "Ten clients" }));
  fireEvent(window, new Event("offline"));
  await userEvent.click(card.getByRole("button", { name: "Comments 1" }));
  expect(await card.findByRole("status")).toHaveTextContent(
    "You're offline. Comments load when you're back online.",
  );
  expect(card.queryByText("Loading comments")).not.toBeInTheDocument();
  fireEvent(window, new Event("online"));
  expect(await card.findByText("Well done.")).toBeVisible();
  expect(card.queryByText(/You're offline/)).not.toBeInTheDocument();
});
