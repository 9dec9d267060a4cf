import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const row = {
  id: "s1",
  submission_type: "success",
  title: "Ten clients",
  content: "How.",
  image_url: null,
  is_featured: true,
  like_count: 0,
  comment_count: 0,
  created_at: "2026-11-20T10:00:00+00:00",
  edited_at: null,
  likes: [],
};

/** Opens the menu of the only submission in the feed. */
async function openMenu(authorId: string, consents: unknown[], answer: Reply = { status: 201 }) {
  const author = {
    id: authorId,
    first_name: "Ada",
    last_name: "B",
    role: "student",
    occupation: null,
  };
  const view = renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === "GET /rest/v1/learning_submissions") {
        return { body: [{ ...row, user_id: authorId, author }] };
      }
      if (call === "GET /rest/v1/submission_consents") return { body: consents };
      return call.endsWith(" /rest/v1/submission_consents") ? answer : undefined;
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
  await screen.findByRole("menuitem", { name: "Copy link" });
  return view;
}

async function openDialog() {
  await userEvent.click(screen.getByRole("menuitem", { name: "Show to visitors" }));
  return within(await screen.findByRole("dialog", { name: "May visitors read this?" }));
}

describe("an author's word that visitors may read a submission", () => {
  it("is given after reading what it means", async () => {
    const { seen } = await openMenu(adaId, []);
    const dialog = await openDialog();
    expect(dialog.getByText(/first name, occupation and profile picture/)).toBeVisible();
    await userEvent.click(await dialog.findByRole("button", { name: "Let visitors read it" }));
    expect(await screen.findByText(/It can stand on the front page now/)).toBeVisible();
    const sent = seen.find(({ call }) => call === "POST /rest/v1/submission_consents");
    expect(sent?.body).toEqual({ submission_id: "s1", user_id: adaId });
  });

  it("is taken back in the same place", async () => {
    const { seen } = await openMenu(adaId, [{ submission_id: "s1" }], { status: 204 });
    const dialog = await openDialog();
    expect(await dialog.findByText("You have agreed.")).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Take it back" }));
    expect(await screen.findByText(/leaves the front page within seconds/)).toBeVisible();
    expect(seen.map(({ call }) => call)).toContain("DELETE /rest/v1/submission_consents");
  });

  it("stays as it was when it could not be saved", async () => {
    await openMenu(adaId, [], { status: 500, body: { code: "XX000", message: "no" } });
    const dialog = await openDialog();
    await userEvent.click(await dialog.findByRole("button", { name: "Let visitors read it" }));
    expect(await dialog.findByText(/^We couldn't save your choice/)).toBeVisible();
    expect(dialog.getByRole("button", { name: "Let visitors read it" })).toBeEnabled();
  });

  it("is asked of nobody else", async () => {
    await openMenu("99999999-9999-4999-8999-999999999999", []);
    expect(screen.queryByRole("menuitem", { name: "Show to visitors" })).toBeNull();
  });
});
