import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import type { DraftDetail } from "./api/drafts.ts";
import { DraftActions } from "./components/draft-actions.tsx";
import { DraftHeader } from "./components/draft-header.tsx";
import { ownTimeZone, publishTimeIssue, toTimeField } from "./model/publish-time.ts";
import { publishTimeStrings } from "./strings/actions.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const draftId = "44444444-4444-4444-8444-444444444444";
const hourMs = 3_600_000;
/** Tomorrow to the minute, as a field holds it. */
const tomorrow = new Date(Math.floor(Date.now() / hourMs) * hourMs + 24 * hourMs);

function draft(differs: Partial<DraftDetail> = {}): DraftDetail {
  return {
    id: draftId,
    ownerId: adaId,
    ownerName: "Ada Lovelace",
    kind: "article",
    status: "draft",
    title: "A Plan for Monday",
    version: 3,
    publishedVersion: null,
    submittedAt: null,
    publishAt: null,
    updatedAt: Date.now(),
    comments: [],
    publishesDirectly: false,
    content: {
      title: "A Plan for Monday",
      subcategoryId: null,
      slug: "",
      excerpt: "",
      tags: [],
      content: "Plan the week.",
      difficulty: "beginner",
      price: 0,
      modules: [],
      cover: null,
    },
    ...differs,
  };
}

function openActions(differs: Partial<DraftDetail> = {}, replies: Record<string, Reply> = {}) {
  const onMoved = vi.fn(() => Promise.resolve());
  const view = renderPage(
    <>
      <DraftHeader draft={draft(differs)} title="A Plan for Monday" />
      <DraftActions draft={draft(differs)} version={3} onMoved={onMoved} />
    </>,
    { session: sessionOf(), reply: ({ call }) => replies[call.split("/").at(-1) ?? ""] },
  );
  return { ...view, onMoved };
}

function bodiesOf(view: ReturnType<typeof renderPage>, name: string): unknown[] {
  return view.seen.filter(({ call }) => call.endsWith(`/rpc/${name}`)).map(({ body }) => body);
}

/** Presses the button whose whole name this is. */
const press = async (name: string) =>
  userEvent.click(await screen.findByRole("button", { name: (found) => found === name }));
const seen = { draft_id: draftId, expected_version: 3 };

async function typeTime(value: string) {
  const field = await screen.findByLabelText("Publish at");
  await userEvent.clear(field);
  await userEvent.type(field, value);
}

describe("a mentor's draft", () => {
  it("is submitted without a time, and with one that is to come", async () => {
    const view = openActions({}, { submit_draft: { body: "submitted" } });
    await press("Submit for review");
    await waitFor(() => expect(view.onMoved).toHaveBeenCalledOnce());
    expect(bodiesOf(view, "submit_draft")).toEqual([seen]);

    await press("Choose a time to publish");
    expect(screen.getByText(`In your time zone, ${ownTimeZone()}.`)).toBeVisible();
    await press("Submit for review");
    expect(await screen.findByText("Choose a date and a time.")).toBeVisible();
    await typeTime("2020-03-01T09:00");
    await press("Submit for review");
    expect(await screen.findByText(/This time has passed/)).toBeVisible();
    expect(bodiesOf(view, "submit_draft")).toHaveLength(1);
    await typeTime(toTimeField(tomorrow.getTime()));
    await press("Submit for review");
    await waitFor(() =>
      expect(bodiesOf(view, "submit_draft")[1]).toEqual({
        ...seen,
        publish_at: tomorrow.toISOString(),
      }),
    );
    await press("Publish without a set time");
    expect(screen.queryByLabelText("Publish at")).not.toBeInTheDocument();
  });

  it("says when the database refuses the time", async () => {
    openActions({}, { submit_draft: { status: 400, body: { code: "FF655", message: "No" } } });
    await press("Submit for review");
    expect(await screen.findByText("Choose a time in the future, within a year.")).toBeVisible();
  });

  it("names the line that is too much to be shown", async () => {
    const message = "Line 3: This paragraph has over 2,000 signs. Divide it with empty lines.";
    openActions({}, { submit_draft: { status: 400, body: { code: "FF660", message } } });
    await press("Submit for review");
    expect(await screen.findByText(`That wasn't saved. ${message}`)).toBeVisible();
  });

  it("is published by a trusted mentor, who is asked first, or scheduled", async () => {
    const view = openActions({ publishesDirectly: true }, { submit_draft: { body: "published" } });
    await press("Publish");
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/^Members at its level or above can read it straight/)).toBeVisible();
    expect(bodiesOf(view, "submit_draft")).toEqual([]);
    await userEvent.click(dialog.getByRole("button", { name: "Publish" }));
    await waitFor(() => expect(bodiesOf(view, "submit_draft")).toEqual([seen]));
    await press("Choose a time to publish");
    expect(screen.getByRole("button", { name: "Schedule" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Submit for review" })).not.toBeInTheDocument();
  });

  it("says before it is published for whom it opens, where it stands and that members aren't told", async () => {
    const place = { id: "sub-1", main_category: "business", slug: "pricing", name: "Pricing" };
    const content = { ...draft().content, subcategoryId: "sub-1" };
    openActions(
      { publishesDirectly: true, kind: "course", content },
      { studio_subcategories: { body: [place] } },
    );
    await press("Publish");
    expect(
      await screen.findByText(
        "Members at Level 3 (Business) or above can read it straight away. They find it in Business · Courses, under “Pricing”. No email or notification goes out to members. You can withdraw it at any time.",
      ),
    ).toBeVisible();
  });

  it.each([
    [0, /^Members can no longer read this\. Reads and/],
    [40, /^Members can no longer read this, and nobody can buy it\. Those who bought it keep it\./],
  ])("says what a withdrawal means at a price of %i", async (price, meaning) => {
    const content = { ...draft().content, price };
    openActions({ kind: "course", status: "published", publishedVersion: 3, content });
    await press("Withdraw");
    expect(await screen.findByText(meaning)).toBeVisible();
  });

  it("says for when it is scheduled, and is taken off the schedule", async () => {
    const view = openActions(
      { status: "scheduled", publishAt: tomorrow.getTime() },
      { recall_draft: { status: 204 } },
    );
    expect(await screen.findByText(/^Scheduled for .+\. Members can read it/)).toHaveTextContent(
      ownTimeZone(),
    );
    await press("Unschedule");
    await waitFor(() => expect(bodiesOf(view, "recall_draft")).toEqual([seen]));
  });
});

describe("a draft of another", () => {
  it("asks administrators for their second factor first", async () => {
    openActions(
      { ownerId: "another-mentor", status: "submitted" },
      { recall_draft: { status: 400, body: { code: "FF005", message: "No" } } },
    );
    await press("Take back");
    expect(
      await screen.findByText("Enter the code of your second factor first, on your account page."),
    ).toBeVisible();
  });
});

describe("a draft that is being written", () => {
  function openWriting(saving: Promise<number | null>) {
    const onBefore = vi.fn(() => saving);
    const view = renderPage(
      <DraftActions
        draft={draft({ publishesDirectly: true })}
        version={3}
        onBefore={onBefore}
        onMoved={() => Promise.resolve()}
      />,
      {
        session: sessionOf(),
        reply: ({ call }) => (call.endsWith("/submit_draft") ? { body: "published" } : undefined),
      },
    );
    return { ...view, onBefore };
  }
  const dialog = () => screen.queryByRole("alertdialog");
  const confirm = () => within(dialog() ?? document.body).getByRole("button", { name: "Publish" });

  it("is published once, in the version that was saved, however often one presses", async () => {
    const saving = Promise.withResolvers<number | null>();
    const view = openWriting(saving.promise);
    await press("Publish");
    await userEvent.click(confirm());
    expect(confirm()).toBeDisabled();
    await userEvent.click(confirm());
    saving.resolve(4);
    await waitFor(() => expect(dialog()).not.toBeInTheDocument());
    expect(view.onBefore).toHaveBeenCalledOnce();
    expect(bodiesOf(view, "submit_draft")).toEqual([{ ...seen, expected_version: 4 }]);
  });

  it("is not published when it can't be saved, and nothing hides why", async () => {
    const view = openWriting(Promise.resolve(null));
    await press("Publish");
    await userEvent.click(confirm());
    await waitFor(() => expect(dialog()).not.toBeInTheDocument());
    expect(screen.getByRole("button", { name: "Publish" })).toBeEnabled();
    expect(bodiesOf(view, "submit_draft")).toEqual([]);
  });
});

describe("a time for publication", () => {
  it("lies in the future, within a year", () => {
    const now = Date.parse("2026-11-25T12:00");
    const said = (field: string, at: number) => {
      const issue = publishTimeIssue(field, at);
      return issue && publishTimeStrings[issue];
    };
    expect(said("2026-11-25T12:00", now)).toMatch(/passed/);
    expect(said("2026-11-25T12:01", now)).toBeNull();
    expect(said("2027-11-25T12:01", now)).toMatch(/within a year/);
    expect(said("", now)).toMatch(/date and a time/);
  });
});
