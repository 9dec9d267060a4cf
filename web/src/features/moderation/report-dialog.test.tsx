import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage, type Reply } from "@/app/testing/test-app.tsx";
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
    await userEvent.type(dialog.getByLabelText("What's wrong with this message?"), " Threats ");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(sent().map(({ body }) => body)).toEqual([
      { kind: "direct_message", subject_id: id, reason: "Threats" },
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
    await userEvent.type(dialog.getByLabelText("What's wrong?"), "Spam");
    await userEvent.click(dialog.getByRole("button", { name: "Send report" }));
    expect(await dialog.findByText(/^We couldn't send your report\./)).toHaveTextContent(text);
    expect(dialog.getByLabelText("What's wrong?")).toHaveValue("Spam");
    expect(onClose).not.toHaveBeenCalled();
  });

  it.each(reportKinds)("has a title, a question and a note for a %s", async (kind) => {
    await open({ kind, id, name: "Tom Ashworth" });
    const dialog = screen.getByRole("dialog", { name: /^Report / });
    expect(dialog).toHaveAccessibleDescription(/told who reported/);
    expect(within(dialog).getByLabelText(/^What's wrong/)).toBeVisible();
  });
});
