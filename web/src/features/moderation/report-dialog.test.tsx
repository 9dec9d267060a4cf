import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage, type Reply } from "@/app/testing/test-app.tsx";
import { reportCategories } from "@/domain/report-categories.ts";
import { ReportDialog } from "./components/report-dialog.tsx";
import { reportKinds } from "./model/report-kinds.ts";
import type { ReportSubject } from "./model/report.ts";

const id = "33333333-3333-4333-8333-333333333333";

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

/** Opens the window about something, with these answers of the database one after the other. */
async function open(subject: ReportSubject, ...replies: readonly Reply[]) {
  const answers = [...replies];
  const onClose = vi.fn();
  const { seen } = renderPage(<ReportDialog subject={subject} onClose={onClose} />, {
    reply: ({ call }) => (call.endsWith("/rpc/report") ? answers.shift() : undefined),
  });
  const sent = () => seen.filter(({ call }) => call.endsWith("/rpc/report"));
  return { dialog: within(await screen.findByRole("dialog")), onClose, sent };
}

const refused = (code: string) => ({ status: 400, body: { code, message: "Refused" } });

describe("the window that reports something", () => {
  it("says of a direct message what administrators will read, and quotes it as text", async () => {
    const { dialog, sent, onClose } = await open(
      { kind: "direct_message", id, quote: "<b>Coins</b>" },
      { status: 204 },
    );
    expect(screen.getByRole("dialog", { name: "Report this message" })).toBeVisible();
    expect(dialog.getByText("<b>Coins</b>")).toBeVisible();
    expect(dialog.getByText(/will read this message and up to five before it/)).toBeVisible();
    await userEvent.type(dialog.getByLabelText("In your own words"), " Threats ");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent().map(({ body }) => body)).toEqual([
      { kind: "direct_message", subject_id: id, reason: "Threats" },
    ]);
  });

  it("needs a choice or words, and words for what is not in the list", async () => {
    const { dialog, sent, onClose } = await open({ kind: "message", id }, { status: 204 });
    const send = dialog.getByRole("button", { name: "Send report" });
    const list = dialog.getByRole("group", { name: "What's wrong with this message?" });
    await userEvent.click(send);
    await waitFor(() =>
      expect(list).toHaveAccessibleDescription("Choose what's wrong, or say it in your own words."),
    );
    await userEvent.click(dialog.getByRole("radio", { name: "Something else" }));
    await userEvent.click(send);
    await waitFor(() =>
      expect(dialog.getByLabelText("In your own words")).toHaveAccessibleDescription(
        "Please say what's wrong.",
      ),
    );
    expect(list).not.toHaveAccessibleDescription();
    expect(sent()).toEqual([]);
    await userEvent.click(dialog.getByRole("radio", { name: "Scam or fraud" }));
    expect(dialog.getByLabelText("In your own words (optional)")).toBeVisible();
    await userEvent.click(send);
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent().map(({ body }) => body)).toEqual([
      { kind: "message", subject_id: id, category: "scam" },
    ]);
  });

  it("sends what was chosen with what was written", async () => {
    const { dialog, sent, onClose } = await open({ kind: "comment", id }, { status: 204 });
    await userEvent.click(dialog.getByRole("radio", { name: "Someone's private details" }));
    await userEvent.type(dialog.getByLabelText(/^In your own words/), "My address");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent().map(({ body }) => body)).toEqual([
      { kind: "comment", subject_id: id, category: "privacy", reason: "My address" },
    ]);
  });

  it.each([
    ["FF300", /You're going too fast/],
    ["FF317", /You've said a lot about this already/],
    ["FF332", /This submission is no longer here/],
    ["FF700", /Your membership has ended/],
    ["FF999", /try again/i],
  ])("says beside the field why the report was not sent: %s", async (code, text) => {
    const { dialog, onClose } = await open({ kind: "submission", id }, refused(code));
    await userEvent.type(dialog.getByLabelText("In your own words"), "Spam");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    expect(await dialog.findByText(/^We couldn't send your report\./)).toHaveTextContent(text);
    expect(dialog.getByLabelText("In your own words")).toHaveValue("Spam");
    expect(onClose).not.toHaveBeenCalled();
  });

  it.each(reportKinds)("has a title, a question and a note for a %s", async (kind) => {
    await open({ kind, id, name: "Tom Ashworth" });
    const dialog = screen.getByRole("dialog", { name: /^Report / });
    expect(dialog).toHaveAccessibleDescription(/told who reported/);
    const list = within(within(dialog).getByRole("group", { name: /^What's wrong/ }));
    expect(list.getAllByRole("radio")).toHaveLength(reportCategories.length);
  });
});
