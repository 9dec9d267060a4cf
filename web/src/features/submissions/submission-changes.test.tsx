import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  sessionStorage.clear();
});

const row = {
  id: "s1",
  user_id: adaId,
  submission_type: "success",
  title: "Ten clients",
  content: "How.",
  image_url: null,
  is_featured: false,
  like_count: 2,
  comment_count: 0,
  created_at: "2026-11-20T10:00:00+00:00",
  edited_at: null as string | null,
};
const author = { first_name: "Ada", last_name: "Byron", role: "student", occupation: null };

/** Opens the feed with one submission, by the member or by another. */
function open(authorId: string, answers: Reply[]) {
  const call = "POST /rest/v1/rpc/edit_submission";
  const view = renderApp("/learning/submissions", {
    session: sessionOf(),
    rows: memberRows(),
    reply: (request) => {
      if (request.call === "GET /rest/v1/learning_submissions") {
        const theirs = { ...row, user_id: authorId, author: { ...author, id: authorId } };
        return { body: [{ ...theirs, likes: [] }] };
      }
      return request.call === call ? (answers.shift() ?? { body: null }) : undefined;
    },
  });
  const sent = () => view.seen.filter((each) => each.call === call).map(({ body }) => body);
  return { ...view, sent };
}

async function openMenu(): Promise<void> {
  await userEvent.click(await screen.findByRole("button", { name: "More about “Ten clients”" }));
}

async function openEdit() {
  await openMenu();
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  return within(await screen.findByRole("dialog", { name: "Edit submission" }));
}

describe("an edit of one's own submission", () => {
  it("keeps what was typed after a failure and a closed window, and marks the card when saved", async () => {
    const { sent } = open(adaId, [{ status: 500, body: { code: "XX000", message: "no" } }]);
    let form = await openEdit();
    expect(form.getByLabelText("Content")).toHaveValue("How.");
    const title = form.getByLabelText("Title");
    expect(title).toHaveValue("Ten clients");
    await userEvent.clear(title);
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Add a title.")).toBeVisible();
    await userEvent.type(title, " Eleven clients ");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText(/^We couldn't save your change\. Check your/)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());

    form = await openEdit();
    expect(form.getByLabelText("Title")).toHaveValue(" Eleven clients ");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    const card = within(await screen.findByRole("article", { name: "Eleven clients" }));
    expect(card.getByText(/· edited/)).toBeVisible();
    expect(sent()).toEqual([
      { submission_id: "s1", title: "Eleven clients", content: "How." },
      { submission_id: "s1", title: "Eleven clients", content: "How." },
    ]);
    expect(Object.keys(sessionStorage).filter((key) => key.includes("-edit-"))).toEqual([]);
  });

  it("says that a lapsed membership cannot edit, and forgets what is discarded", async () => {
    open(adaId, [{ status: 400, body: { code: "FF761", message: "no" } }]);
    let form = await openEdit();
    await userEvent.type(form.getByLabelText("Content"), " More.");
    await userEvent.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText(/Your membership has ended/)).toBeVisible();
    await userEvent.click(form.getByRole("button", { name: "Discard changes" }));
    form = await openEdit();
    expect(form.getByLabelText("Content")).toHaveValue("How.");
  });

  it("is not offered to others, who see it live", async () => {
    const { live } = open("99999999-9999-4999-8999-999999999999", []);
    await openMenu();
    await waitFor(() => expect(live.watchers("learning_submissions")).toBe(1));
    expect(await screen.findByRole("menuitem", { name: "Copy link" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: "Edit" })).not.toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    const changed = { ...row, title: "Twelve clients", edited_at: "2026-11-20T11:00:00+00:00" };
    act(() => live.change("UPDATE", "learning_submissions", changed));
    const card = within(await screen.findByRole("article", { name: "Twelve clients" }));
    expect(card.getByText(/· edited/)).toBeVisible();
  });
});

describe("a comment being written", () => {
  async function openComments() {
    await userEvent.click(await screen.findByRole("button", { name: /^Comments/ }));
    return screen.findByLabelText("Your comment");
  }

  it("is kept in the tab until it is sent", async () => {
    const { unmount } = open(adaId, []);
    await userEvent.type(await openComments(), "Thank you");
    unmount();
    const { seen } = open(adaId, []);
    const field = await openComments();
    expect(field).toHaveValue("Thank you");
    await userEvent.click(screen.getByRole("button", { name: "Comment" }));
    await waitFor(() => expect(field).toHaveValue(""));
    expect(seen.filter(({ call }) => call.startsWith("POST /rest/v1/learning_sub"))).toMatchObject([
      { body: { submission_id: "s1", content: "Thank you" } },
    ]);
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith("comment-"))).toEqual([]);
  });
});
