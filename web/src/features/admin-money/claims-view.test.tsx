import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { answerCode, verifiedSession } from "@/app/testing/second-factor.ts";
import { memberRows, renderApp, type Reply } from "@/app/testing/test-app.tsx";

const claim = {
  id: "c1",
  user_id: "u1",
  email: "grace@example.com",
  first_name: "Grace",
  last_name: "Hopper",
  state: "filed",
  monthly_pence: 160_000,
  statement: "My payslip of March",
  lines: [
    { line: "check_ins", needed: 6, held: 6, met: true },
    { line: "submissions", needed: 12, held: 14, met: true },
    { line: "messages", needed: 150, held: 149, met: false },
    { line: "articles", needed: 12, held: 12, met: true },
    { line: "income", needed: 1_500_000, held: 160_000, met: true },
  ],
  filed_at: "2026-11-01T10:00:00Z",
  reason: null,
  appeal: null,
  baseline: {
    monthly_pence: 150_000,
    source: "Salary",
    has_document: false,
    started_at: "2026-04-20T10:00:00Z",
    check_ins: [
      { month: 1, monthly_pence: 150_000 },
      { month: 2, monthly_pence: 155_000 },
    ],
  },
  to_refund: 0,
  renews: false,
};

const isSettle = (call: string) => call.endsWith("/functions/v1/admin-settle-guarantee");
const settled: Reply = { body: { refunded: 3, left: 0, renews: false } };

interface Answers {
  /** What the decisions are answered, in turn. */
  readonly decisions?: Reply[];
  /** What the calls are answered that settle a granted claim, in turn. */
  readonly settlements?: (Reply | Promise<Reply>)[];
  readonly waiting?: object;
  /** Answers other calls. */
  readonly reply?: (call: string) => Reply | undefined;
}

/** The claims as an administrator sees them. One that is declined or settled leaves the list. */
function open({ decisions = [], settlements = [], waiting = claim, reply }: Answers = {}) {
  let list: object[] = [waiting];
  return renderApp("/admindash/money?view=guarantee", {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: async ({ call, body }) => {
      const checked = answerCode(call, body);
      if (checked) return checked;
      if (call.endsWith("/guarantee_queue")) return { body: list };
      if (call.endsWith("/decide_guarantee_claim")) {
        const answer = decisions.shift();
        const isGranted = (body as { is_granted: boolean }).is_granted;
        if (answer?.status === 204) {
          list = isGranted ? [{ ...waiting, state: "granted", to_refund: 3, renews: true }] : [];
        }
        return answer;
      }
      if (isSettle(call)) {
        const answer = (await settlements.shift()) ?? settled;
        const left = answer.body as { left?: number; renews?: boolean } | undefined;
        if (left?.left === 0) list = [];
        else if (left?.left !== undefined) {
          list = [{ ...waiting, state: "granted", to_refund: left.left, renews: left.renews }];
        }
        return answer;
      }
      return reply?.(call);
    },
  });
}

async function grantClaim() {
  const panel = await openClaim();
  await userEvent.click(panel.getByRole("radio", { name: /^Grant/ }));
  await userEvent.type(panel.getByLabelText("Reason"), "Payslips seen");
  await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
  await userEvent.click(panel.getByRole("button", { name: "Grant this claim" }));
}

async function openClaim() {
  await userEvent.click(await screen.findByRole("button", { name: "Grace Hopper, Claim" }));
  return within(await screen.findByRole("dialog"));
}

describe("a claim under the guarantee in the console", () => {
  it("shows its evidence line by line, with what the member put on record", async () => {
    open();
    const panel = await openClaim();
    const lines = within(panel.getByRole("list", { name: "Lines of the terms" }));
    expect(lines.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Monthly check-ins6 of 6, met",
      "Submissions14 of 12, met",
      "Messages in chat rooms149 of 150, not met",
      "Articles read12 of 12, met",
      "Income below the aim£1,600 of £15,000, met",
    ]);
    for (const words of [
      "£1,500 a month: Salary",
      "1: £1,500, 2: £1,550",
      "£1,600 a month",
      "My payslip of March",
    ]) {
      expect(panel.getByText(words)).toBeVisible();
    }
  });

  it("shows the document of the baseline when it is asked for", async () => {
    vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:document");
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
    const isOpen = (call: string) => call.endsWith("/functions/v1/open-guarantee-document");
    const answers: Reply[] = [{ status: 500, body: { error: "No" } }, { bytes: png }];
    const { seen } = open({
      waiting: { ...claim, baseline: { ...claim.baseline, has_document: true } },
      reply: (call) => (isOpen(call) ? answers.shift() : undefined),
    });
    const panel = await openClaim();
    // Each opening is recorded, so nothing is read before.
    expect(seen.some(({ call }) => isOpen(call))).toBe(false);
    await userEvent.click(panel.getByRole("button", { name: "Open the document" }));
    expect(await panel.findByText("The document couldn't be opened. Try again.")).toBeVisible();
    await userEvent.click(panel.getByRole("button", { name: "Open the document" }));
    expect(await panel.findByRole("img", { name: "Document of Grace Hopper" })).toBeVisible();
    expect(seen.findLast(({ call }) => isOpen(call))?.body).toEqual({ claim_id: "c1" });
  });

  it("is decided with a reason and a fresh code, and not without", async () => {
    const { seen } = open({ decisions: [{ status: 204 }] });
    const panel = await openClaim();
    expect(panel.getByRole("button", { name: "Decide" })).toBeDisabled();
    await userEvent.click(panel.getByRole("radio", { name: /^Grant/ }));
    await userEvent.click(panel.getByRole("button", { name: "Grant this claim" }));
    expect(await panel.findByText("Say why. The member reads it.")).toBeVisible();
    await userEvent.type(panel.getByLabelText("Reason"), "Payslips seen");
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "12");
    await userEvent.click(panel.getByRole("button", { name: "Grant this claim" }));
    expect(await panel.findByText("Enter all six digits of the code.")).toBeVisible();
    expect(seen.some(({ call }) => call.endsWith("/decide_guarantee_claim"))).toBe(false);
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "3456");
    await userEvent.click(panel.getByRole("button", { name: "Grant this claim" }));
    expect(
      await screen.findByText("Claim granted. Every payment of Grace Hopper was refunded."),
    ).toBeVisible();
    // Granting settles, without another code.
    expect(seen.filter(({ call }) => isSettle(call)).map(({ body }) => body)).toEqual([
      { claim_id: "c1" },
    ]);
    expect(seen.find(({ call }) => call.endsWith("/decide_guarantee_claim"))?.body).toEqual({
      claim_id: "c1",
      is_granted: true,
      reason: "Payslips seen",
    });
    await waitFor(() => expect(screen.getByText("No claims")).toBeVisible());
  });

  it("says why a decision was refused, and keeps the reason", async () => {
    const other = "Another administrator has to decide about the appeal.";
    const appealed = { ...claim, state: "appealed", reason: "Too few", appeal: "I was ill" };
    const { seen } = open({
      decisions: [{ status: 400, body: { code: "FF683", message: other } }],
      waiting: appealed,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Grace Hopper, Appeal" }));
    const panel = within(await screen.findByRole("dialog"));
    expect(panel.getByText("I was ill")).toBeVisible();
    await userEvent.click(panel.getByRole("radio", { name: "Decline" }));
    await userEvent.type(panel.getByLabelText("Reason"), "As before");
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
    await userEvent.click(panel.getByRole("button", { name: "Decline this claim" }));
    expect(await panel.findByText(other)).toBeVisible();
    expect(panel.getByLabelText("Reason")).toHaveValue("As before");
    expect(seen.some(({ call }) => isSettle(call))).toBe(false);
  });

  it("settles nothing when it is declined", async () => {
    const { seen } = open({ decisions: [{ status: 204 }] });
    const panel = await openClaim();
    await userEvent.click(panel.getByRole("radio", { name: "Decline" }));
    await userEvent.type(panel.getByLabelText("Reason"), "Nothing to see");
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
    await userEvent.click(panel.getByRole("button", { name: "Decline this claim" }));
    expect(await screen.findByText("Claim declined.")).toBeVisible();
    expect(seen.some(({ call }) => isSettle(call))).toBe(false);
  });

  it("says what is going on while it is settled", async () => {
    const answer = Promise.withResolvers<Reply>();
    open({ decisions: [{ status: 204 }], settlements: [answer.promise] });
    await grantClaim();
    expect(await screen.findByText(/^Granted. Stopping the renewal/)).toBeVisible();
    answer.resolve(settled);
    expect(await screen.findByText("No claims")).toBeVisible();
  });

  it("keeps what the provider refused, with a button to try again", async () => {
    const { seen } = open({
      decisions: [{ status: 204 }],
      settlements: [{ body: { refunded: 2, left: 1, renews: false } }, settled],
    });
    await grantClaim();
    const left = "The claim is granted, but 1 payment isn't refunded yet.";
    const panel = within(await screen.findByRole("dialog"));
    expect(await panel.findByText(left, { exact: false })).toBeVisible();
    await userEvent.type(panel.getByLabelText(/Code from your authenticator app/), "123456");
    await userEvent.click(panel.getByRole("button", { name: "Try again now" }));
    expect(await screen.findByText("No claims")).toBeVisible();
    expect(seen.filter(({ call }) => isSettle(call))).toHaveLength(2);
  });

  it("says that it is granted when the answer about the refunds is lost", async () => {
    open({
      decisions: [{ status: 204 }],
      settlements: [{ status: 500, body: { error: "The refunds could not be made." } }],
    });
    await grantClaim();
    const panel = within(await screen.findByRole("dialog"));
    expect(
      await panel.findByText(/the renewal isn't stopped and 3 payments aren't refunded yet/),
    ).toBeVisible();
    expect(panel.queryByRole("button", { name: "Grant this claim" })).not.toBeInTheDocument();
  });
});
