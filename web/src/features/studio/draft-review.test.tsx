import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { DraftReviewQueue } from "./components/draft-review-queue.tsx";
import { toTimeField } from "./model/publish-time.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => {
  document.getSelection()?.removeAllRanges();
});

const draftId = "44444444-4444-4444-8444-444444444444";
const hourMs = 3_600_000;
/** Tomorrow to the minute, as a field holds it. */
const tomorrow = new Date(Math.floor(Date.now() / hourMs) * hourMs + 24 * hourMs);

function bodiesOf(view: ReturnType<typeof renderPage>, name: string): unknown[] {
  return view.seen.filter(({ call }) => call.endsWith(`/rpc/${name}`)).map(({ body }) => body);
}

/** Presses the button whose whole name this is. */
const press = async (name: string) =>
  userEvent.click(await screen.findByRole("button", { name: (found) => found === name }));
const seen = { draft_id: draftId, expected_version: 3 };

function openReviews(publish_at: string | null = null) {
  const row = {
    id: draftId,
    owner_id: "55555555-5555-4555-8555-555555555555",
    owner: { first_name: "Grace", last_name: "Hopper" },
    kind: "article",
    status: "submitted",
    title: "A Plan for Monday",
    version: 3,
    published_version: null,
    submitted_at: "2026-03-01T10:00:00+00:00",
    publish_at,
    updated_at: "2026-03-01T10:00:00+00:00",
  };
  const version = {
    title: row.title,
    subcategory_id: "sub-1",
    slug: "a-plan",
    excerpt: "About it.",
    tags: [],
    content: "Plan the week.\n\nOn Sunday.",
    difficulty_level: "beginner",
    price: 0,
    modules: [],
    cover: null,
  };
  return renderPage(
    <>
      <p>Outside the draft.</p>
      <DraftReviewQueue />
    </>,
    {
      session: sessionOf(),
      rows: { drafts: [row], draft_versions: [version], draft_comments: [] },
      reply: ({ call }) => {
        if (call.endsWith("/may_publish_draft")) return { body: false };
        if (call.endsWith("/studio_subcategories")) {
          const place = { id: "sub-1", main_category: "general", slug: "planning" };
          return { body: [{ ...place, name: "Planning" }] };
        }
        if (call.endsWith("/publish_draft")) return { body: "scheduled" };
        return undefined;
      },
    },
  );
}

function select(from: Node, to: Node = from) {
  document.getSelection()?.setBaseAndExtent(from, 0, to, to.textContent?.length ?? 0);
}

const words = (text: string): Node => screen.getByText(text, { selector: "p" }).firstChild!;

describe("a review", () => {
  it("has the time its mentor asked for, and publishes when the administrator decides", async () => {
    const view = openReviews(tomorrow.toISOString());
    await userEvent.click(await screen.findByRole("button", { name: /^A Plan for Monday/ }));
    expect(await screen.findByText(/^Its mentor asked for/)).toBeVisible();
    expect(screen.getByLabelText("Publish at")).toHaveValue(toTimeField(tomorrow.getTime()));
    await press("Schedule");
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(
      dialog.getByText(
        /^Members at Level 2 \(Knowledge\) or above can read it from .+\. They find it in Knowledge · Foundations, under “Planning”\. No email or notification goes out to members\. Its mentor is notified\./,
      ),
    ).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Schedule article" }));
    await waitFor(() =>
      expect(bodiesOf(view, "publish_draft")).toEqual([
        { ...seen, publish_at: tomorrow.toISOString() },
      ]),
    );
  });

  it("is done by keyboard alone, with the draft beside the rows", async () => {
    const view = openReviews();
    const row = await screen.findByRole("button", { name: /^A Plan for Monday/ });
    row.focus();
    await userEvent.keyboard("{Enter}");
    const panel = within(await screen.findByRole("region", { name: "The open draft" }));
    expect(await panel.findByText("Plan the week.")).toBeVisible();
    expect(panel.getByText("Excerpt")).toBeVisible();
    expect(panel.getByRole("heading", { level: 3, name: "A Plan for Monday" })).toBeVisible();
    expect(row).not.toContainElement(panel.getByText("Plan the week."));
    // Nothing is returned without a comment, and letters in one are letters.
    await userEvent.keyboard("x");
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    await userEvent.type(panel.getByLabelText("Your comment"), "a jax");
    expect(panel.getByLabelText("Your comment")).toHaveValue("a jax");
    panel.getByRole("button", { name: "Add comment" }).focus();
    await userEvent.keyboard("{Enter}");
    row.focus();
    await userEvent.keyboard("x");
    const question = await screen.findByRole("alertdialog", { name: /^Return/ });
    await userEvent.click(within(question).getByRole("button", { name: "Not yet" }));
    row.focus();
    await userEvent.keyboard("a");
    const dialog = within(await screen.findByRole("alertdialog", { name: /^Publish/ }));
    expect(bodiesOf(view, "publish_draft")).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Publish article" }));
    await waitFor(() => expect(bodiesOf(view, "publish_draft")).toEqual([seen]));
    await waitFor(() =>
      expect(screen.queryByRole("region", { name: "The open draft" })).toBeNull(),
    );
  });

  it("is open by its address while it waits, and not once it was decided", async () => {
    const view = openReviews();
    const panel = () => screen.queryByRole("region", { name: "The open draft" });
    await screen.findByRole("button", { name: /^A Plan for Monday/ });
    await act(async () => await view.router.navigate(`/?draft=${draftId}`));
    expect(panel()).toBeVisible();
    await act(async () => await view.router.navigate("/?draft=decided"));
    expect(panel()).toBeNull();
  });

  it("publishes at once without a time, whatever was asked for", async () => {
    const view = openReviews(tomorrow.toISOString());
    await userEvent.click(await screen.findByRole("button", { name: /^A Plan for Monday/ }));
    await press("Publish without a set time");
    await press("Publish");
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Publish article" }));
    await waitFor(() => expect(bodiesOf(view, "publish_draft")).toEqual([seen]));
  });

  it("keeps its comments while the draft is closed, until they are sent", async () => {
    const view = openReviews();
    const row = () => screen.findByRole("button", { name: /^A Plan for Monday/ });
    await userEvent.click(await row());
    await userEvent.type(await screen.findByLabelText("Your comment"), "Why Sunday?");
    select(words("Plan the week."));
    await press("Quote the selected words");
    await press("Add comment");
    await userEvent.type(screen.getByLabelText("Your comment"), "And how");
    expect(window.location.search).toBe(`?draft=${draftId}`);
    await userEvent.click(await row());
    expect(window.location.search).toBe("");
    expect(screen.queryByText("Why Sunday?")).not.toBeInTheDocument();
    await userEvent.click(await row());
    expect(await screen.findByText("Why Sunday?")).toBeVisible();
    expect(screen.getByLabelText("Your comment")).toHaveValue("And how");

    await press("Return with comments");
    const dialog = within(await screen.findByRole("alertdialog"));
    await userEvent.click(dialog.getByRole("button", { name: "Return article" }));
    const comments = [{ quote: "Plan the week.", comment: "Why Sunday?" }];
    await waitFor(() => expect(bodiesOf(view, "return_draft")).toEqual([{ ...seen, comments }]));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it("quotes words of the draft only, and says when none are selected", async () => {
    openReviews();
    await userEvent.click(await screen.findByRole("button", { name: /^A Plan for Monday/ }));
    await screen.findByText("Plan the week.");
    const hint = "Select the words in the draft first, then press this again.";
    await press("Quote the selected words");
    expect(screen.getByText(hint)).toBeVisible();
    select(words("Outside the draft."));
    await press("Quote the selected words");
    expect(screen.getByText(hint)).toBeVisible();
    expect(document.querySelector("blockquote")).toBeNull();
    select(words("Plan the week."));
    await press("Quote the selected words");
    expect(screen.queryByText(hint)).not.toBeInTheDocument();
    expect(document.querySelector("blockquote")).toHaveTextContent(/^Plan the week\.$/);
    // What reaches beyond the draft is cut off.
    select(words("Outside the draft."), words("Plan the week."));
    await press("Quote the selected words");
    expect(document.querySelector("blockquote")).not.toHaveTextContent("Outside");
    expect(document.querySelector("blockquote")).toHaveTextContent("Plan the week.");
    await press("Remove the quote");
    expect(document.querySelector("blockquote")).toBeNull();
  });
});
