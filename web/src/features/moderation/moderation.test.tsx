import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  findReportQueue as queue,
  openReportDesk as desk,
  reportedId as subjectId,
  reportedSubmissionId as submissionId,
  reportRow as row,
} from "./testing/report-desk.ts";

/** The reason of the list that the author is told, and the button that takes the thing away. */
const reason = "It's sexual or violent.";
async function removeFor(why: string, button: string): Promise<void> {
  const question = within(await screen.findByRole("alertdialog"));
  await userEvent.selectOptions(question.getByRole("combobox", { name: "Common reasons" }), why);
  await userEvent.click(question.getByRole("button", { name: button }));
}

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => void vi.restoreAllMocks());

describe("the queue of reports", () => {
  it("keeps one kind in the address, and says how many of each wait", async () => {
    desk("/admindash/queues?queue=reports", [
      row("message", { place: { room_id: "general", room_name: "General" } }),
      row("profile", { report_id: 8, snapshot: { name: "Ada Byron", bio: "Ask me", topics: [] } }),
    ]);
    const all = await queue(/^Reports/);
    expect(await all.findByText("Buy coins")).toBeVisible();
    // The oldest is open, with its keys; another opens in its place.
    expect(all.getByRole("button", { name: /^Keep/ })).toHaveAttribute("aria-keyshortcuts", "a");
    await userEvent.click(all.getByRole("button", { name: /^Profile by Ada Byron/ }));
    expect(all.getByText("Ask me")).toBeVisible();
    expect(all.queryByText("Buy coins")).toBeNull();
    const filter = within(screen.getByRole("group", { name: "What was reported" }));
    expect(await filter.findByRole("button", { name: "All 2" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    expect(filter.queryByRole("button", { name: /^Comments/ })).toBeNull();
    await userEvent.click(filter.getByRole("button", { name: "Profiles 1" }));
    const profiles = await queue(/^Reported profiles · 1/);
    expect(await profiles.findByText("Ask me")).toBeVisible();
    expect(profiles.queryByText("Buy coins")).toBeNull();
    expect(window.location.search).toBe("?queue=reports&kind=profile");
    // The chosen kind stays among the choices once none of it waits.
    await userEvent.click(profiles.getByRole("button", { name: "Clear bio and topics" }));
    await removeFor(reason, "Clear profile");
    expect(await filter.findByRole("button", { name: "Profiles 0" })).toBeVisible();
    await userEvent.click(screen.getByRole("tab", { name: /^Identity/ }));
    expect(await screen.findByRole("tab", { name: /^Identity/, selected: true })).toBeVisible();
    expect(window.location.search).toBe("?queue=identity");
  });

  it("is worked through by keyboard: each decision opens the next report", async () => {
    const { decisions } = desk("/admindash/queues?queue=reports", [
      row("post", { report_id: 5, snapshot: { content: "First" } }),
      row("comment", {
        report_id: 6,
        snapshot: { content: "Second" },
        place: { submission_id: submissionId, title: "Ten clients" },
      }),
      row("profile", { snapshot: { name: "Ada Byron", bio: "Third", topics: [] } }),
    ]);
    const all = await queue(/^Reports · 3/);
    const panel = within(await all.findByRole("region", { name: "The open report" }));
    expect(panel.getByText("First")).toBeVisible();
    const rows = all.getAllByRole("button", { expanded: false });
    rows[0]?.focus();
    await userEvent.keyboard("j");
    expect(rows[1]).toHaveFocus();
    await userEvent.keyboard("ka");
    await userEvent.click(await screen.findByRole("button", { name: "Keep post" }));
    expect(await panel.findByText("Second")).toBeVisible();
    await waitFor(() => expect(rows[0]).toHaveFocus());
    await userEvent.keyboard("r");
    await removeFor(reason, "Delete comment");
    expect(await panel.findByText("Third")).toBeVisible();
    await waitFor(() => expect(rows[1]).toHaveFocus());
    await userEvent.keyboard("x");
    await removeFor(reason, "Clear profile");
    expect(await screen.findByText("No reports")).toBeVisible();
    expect(decisions().map(({ body }) => body)).toEqual([
      { report_id: 5, decision: "keep" },
      { report_id: 6, decision: "remove", explanation: reason },
      { report_id: 7, decision: "clear", explanation: reason },
    ]);
  });

  it("answers J and K while nothing has the focus, but not below a window", async () => {
    desk("/admindash/queues?queue=reports", [
      row("post", { report_id: 5, snapshot: { content: "First" } }),
      row("comment", {
        report_id: 6,
        place: { submission_id: submissionId, title: "Ten clients" },
      }),
    ]);
    const all = await queue(/^Reports · 2/);
    const [first, second] = [
      await all.findByRole("button", { expanded: true, name: /^Post/ }),
      all.getByRole("button", { expanded: false, name: /^Comment/ }),
    ];
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await userEvent.keyboard("{Control>}j{/Control}");
    expect(document.body).toHaveFocus();
    await userEvent.keyboard("j");
    expect(first).toHaveFocus();
    await userEvent.keyboard("j");
    expect(second).toHaveFocus();
    document.querySelector<HTMLElement>("main")?.focus();
    await userEvent.keyboard("k");
    expect(first).toHaveFocus();
    await userEvent.keyboard("a");
    await screen.findByRole("alertdialog");
    // The key is left alone: `false` if it was taken.
    expect(fireEvent.keyDown(document.body, { key: "j" })).toBe(true);
  });

  it.each([
    ["messages", "Reported messages", "?queue=reports&kind=message"],
    ["people", "Reported profiles", "?queue=reports&kind=profile"],
    ["texts", "Reports", "?queue=reports"],
    ["posts", "Reports", "?queue=reports"],
  ])("is where the former queue %s leads", async (former, title, search) => {
    desk(`/admindash/queues?queue=${former}`, []);
    expect(await queue(new RegExp(`^${title} · 0`))).toBeDefined();
    expect(window.location.search).toBe(search);
    expect(
      screen.getByText(title === "Reports" ? "No reports" : `No ${title.toLowerCase()}`),
    ).toBeVisible();
  });

  it("shows everything when the address asks for a kind there is not, and leaves out kinds it does not know", async () => {
    desk("/admindash/queues?queue=reports&kind=unheard-of", [
      row("comment", { place: { submission_id: submissionId, title: "Ten clients" } }),
      row("unheard-of", { report_id: 9, snapshot: { content: "A later release" } }),
    ]);
    const all = await queue(/^Reports · 1/);
    expect(await all.findByText("Buy coins")).toBeVisible();
    expect(screen.queryByText("A later release")).toBeNull();
  });
});

describe("a report", () => {
  it("of a direct message shows what came before as text, and asks before deleting", async () => {
    const { decisions } = desk("/admindash/queues?queue=texts", [
      row("direct_message", {
        snapshot: {
          content: "<b>Coins</b>",
          context: [
            { author: "Mia", content: "No, thank you", created_at: "2026-11-25T09:00:00+00:00" },
          ],
        },
        place: { is_deleted: false },
        is_changed: true,
      }),
    ]);
    const reports = await queue(/^Reports/);
    expect(await reports.findByText("<b>Coins</b>")).toBeVisible();
    expect(reports.getByText("No, thank you")).toBeVisible();
    expect(reports.getByText(/has since been edited/)).toBeVisible();
    await userEvent.click(reports.getByRole("button", { name: "Delete" }));
    await removeFor(reason, "Delete direct message");
    expect(await screen.findByText("No reports")).toBeVisible();
    expect(await screen.findByText("The direct message was deleted.")).toBeVisible();
    expect(decisions().map(({ body }) => body)).toEqual([
      { report_id: 7, decision: "remove", explanation: reason },
    ]);
  });

  it("of a comment leads to it, and is kept or removed", async () => {
    const { decisions } = desk("/admindash/queues?queue=posts", [
      row("comment", {
        place: { submission_id: submissionId, title: "Ten <b>clients</b>" },
        is_changed: true,
      }),
    ]);
    const item = await queue(/^Reports/);
    expect(await item.findByText("Buy coins")).toBeVisible();
    expect(item.getByText("“Spam”")).toBeVisible();
    expect(item.getByText("“And rude”")).toBeVisible();
    expect(item.getByText(/^2 reports, /)).toBeVisible();
    expect(item.getByText(/has since been edited/)).toBeVisible();
    expect(item.getByRole("link", { name: "Ten <b>clients</b>" })).toHaveAttribute(
      "href",
      `/learning/submissions?submission=${submissionId}&comments=open`,
    );
    await userEvent.click(item.getByRole("button", { name: "Delete" }));
    const question = within(
      await screen.findByRole("alertdialog", { name: "Delete this comment?" }),
    );
    // Not without a word to the author, in a listed reason or the administrator's own.
    const reasons = question.getByRole("combobox", { name: "Common reasons" });
    expect(reasons).toHaveFocus();
    await userEvent.click(question.getByRole("button", { name: "Delete comment" }));
    expect(question.getByRole("textbox", { name: "Why" })).toHaveAccessibleDescription(
      /Tell the author why/,
    );
    expect(reasons).toHaveFocus();
    expect(decisions()).toEqual([]);
    await userEvent.type(question.getByRole("textbox", { name: "Why" }), " It sells coins. ");
    await userEvent.click(question.getByRole("button", { name: "Delete comment" }));
    expect(await screen.findByText("No reports")).toBeVisible();
    expect(decisions().map(({ body }) => body)).toEqual([
      { report_id: 7, decision: "remove", explanation: "It sells coins." },
    ]);
  });

  it("of a message leads into its room and says that it was deleted meanwhile", async () => {
    desk("/admindash/queues?queue=messages", [
      row("message", {
        place: { room_id: "general", room_name: "General", is_deleted: true },
        is_changed: true,
      }),
    ]);
    const item = await queue(/^Reported messages/);
    expect(await item.findByRole("link", { name: "General" })).toHaveAttribute(
      "href",
      `/chats/general#${subjectId}`,
    );
    expect(item.getByText("This message has since been deleted.")).toBeVisible();
    expect(item.queryByText(/has since been edited/)).toBeNull();
  });

  it("of a message shows what was written around it in the room, long lines folded", async () => {
    const created_at = "2026-11-25T09:00:00+00:00";
    const line = (content: string, differs: object = {}) => ({
      id: content,
      author: "Mia",
      content,
      is_deleted: false,
      created_at,
      ...differs,
    });
    const place = { room_id: "general", room_name: "General", is_deleted: false };
    const long = "Slowly. ".repeat(30);
    const before = [line("", { is_deleted: true }), line(long, { is_cut: true })];
    desk("/admindash/queues?queue=reports", [
      row("message", { place, around: { before, after: [line("Stop it")] } }),
      row("message", { report_id: 8, place, around: { before: [], after: [] } }),
    ]);
    const all = await queue(/^Reports · 2/);
    const earlier = within(await all.findByRole("list", { name: "What was written before" }));
    const [gone, folded] = earlier.getAllByRole("listitem");
    expect(gone).toHaveTextContent(/^25 Nov.*, \d\d:\d\d Mia: deleted$/);
    expect(folded).toHaveTextContent(`${long}…`);
    await userEvent.click(earlier.getByRole("button", { name: "Show more", expanded: false }));
    expect(earlier.getByRole("button", { name: "Show less", expanded: true })).toBeVisible();
    expect(all.getByRole("list", { name: "What was written after" })).toHaveTextContent("Stop it");
    expect(all.queryByText(/anything else here/)).toBeNull();
    await userEvent.click(all.getByRole("button", { expanded: false, name: /^Message by/ }));
    expect(all.getByText("Nobody has written anything else here.")).toBeVisible();
    expect(all.queryByRole("list", { name: /^What was written/ })).toBeNull();
  });

  it("of a profile shows its texts, and is cleared rather than deleted", async () => {
    const { decisions } = desk("/admindash/queues?queue=people", [
      row("profile", {
        snapshot: { name: "Ada Byron", occupation: "Engineer", bio: "Ask me", topics: ["Coins"] },
      }),
    ]);
    const item = await queue(/^Reported profiles/);
    for (const text of ["Ada Byron", "Engineer", "Ask me", "Coins"]) {
      expect(await item.findByText(text)).toBeVisible();
    }
    expect(item.queryByRole("button", { name: "Delete" })).toBeNull();
    await userEvent.click(item.getByRole("button", { name: "Clear bio and topics" }));
    await removeFor(reason, "Clear profile");
    expect(await screen.findByText("The profile was cleared.")).toBeVisible();
    expect(decisions().map(({ body }) => body)).toEqual([
      { report_id: 7, decision: "clear", explanation: reason },
    ]);
  });

  it("stays, with a word about it, when the decision was not saved", async () => {
    const rows = [row("post")];
    const { decisions } = desk("/admindash/queues?queue=reports", rows, { refused: true });
    const item = await queue(/^Reports/);
    await userEvent.click(await item.findByRole("button", { name: "Keep" }));
    await userEvent.click(await screen.findByRole("button", { name: "Keep post" }));
    expect(
      await screen.findByText(
        "Your decision wasn't saved. Another administrator may have decided already.",
      ),
    ).toBeVisible();
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    expect(item.getByText("Buy coins")).toBeVisible();
    expect(decisions().map(({ body }) => body)).toEqual([{ report_id: 7, decision: "keep" }]);
  });
});
