import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const figures = {
  revenue_pence: 0,
  refunded_pence: 0,
  vat_pence: 0,
  open_disputes: 0,
  failed_events: 0,
  complimentary: 0,
};
const november = {
  month: "2026-11-01",
  currency: "gbp",
  charges: 3,
  charged_pence: 20_000,
  refunds: 1,
  refunded_pence: 2000,
  disputes: 0,
  disputed_pence: 0,
  dispute_fees_pence: 2000,
  fees_pence: 315,
  other_pence: 0,
  net_pence: 15_685,
  vat_pence: 3000,
  left_pence: 12_685,
  payouts: 2,
  paid_out_pence: 14_000,
  unread: 0,
};
const october = {
  ...november,
  month: "2026-10-01",
  charges: 0,
  charged_pence: 0,
  dispute_fees_pence: 0,
  fees_pence: 0,
  vat_pence: -333,
  net_pence: -2000,
  left_pence: -1667,
  payouts: 0,
  paid_out_pence: 0,
};

function open(view: string, answers: Readonly<Record<string, Reply>>) {
  return renderApp(`/admindash/money?${view}`, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/admin_money_figures")) return { body: figures };
      return answers[call.split("/").at(-1) ?? ""];
    },
  });
}

/** The texts of the files that the page saves from now on. */
function savedFiles(): Blob[] {
  const saved: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    saved.push(file as Blob);
    return "blob:file";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
  return saved;
}
afterEach(() => vi.restoreAllMocks());

describe("the money by month", () => {
  it("shows a line for each month, and saves the same lines", async () => {
    const saved = savedFiles();
    open("view=months", { admin_money_by_month: { body: [november, october] } });
    const line = await screen.findByRole("row", { name: /November 2026/ });
    expect(
      within(line)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["£200", "£20", "£0", "£20", "£3.15", "£0", "£156.85", "£30", "£126.85", "£140"]);
    expect(screen.getByText(/your balance with the card provider grew/)).toBeVisible();
    expect(screen.queryByText(/still to be read/)).toBeNull();
    expect(screen.queryByText(/for something else/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Save as CSV" }));
    expect((await saved[0]?.text())?.split("\r\n").slice(1)).toEqual([
      "2026-11,GBP,3,200.00,1,20.00,0,0.00,20.00,3.15,0.00,156.85,30.00,126.85,2,140.00,16.85,0",
      "2026-10,GBP,0,0.00,1,20.00,0,0.00,0.00,0.00,0.00,-20.00,-3.33,-16.67,0,0.00,-20.00,0",
      "",
    ]);
  });

  it("says what has no fee yet, and what is not ours", async () => {
    open("view=months", {
      admin_money_by_month: { body: [{ ...november, other_pence: -500, unread: 2 }] },
    });
    expect(await screen.findByText(/^2 movements still to be read/)).toBeVisible();
    expect(screen.getByText(/took or paid for anything else/)).toBeVisible();
  });

  it("says that there is nothing yet", async () => {
    open("view=months", { admin_money_by_month: { body: [] } });
    expect(await screen.findByText("No payments yet")).toBeVisible();
  });
});

describe("the file of payments", () => {
  it("has the VAT of each payment, and what of it is left", async () => {
    const saved = savedFiles();
    const payment = {
      payment_id: "ch_1",
      paid_at: "2026-11-01T10:00:00Z",
      amount_pence: 5000,
      refunded_pence: 2500,
      currency: "gbp",
      state: "partly_refunded",
      invoice_number: "F4-1",
      invoice_reason: null,
      card_brand: "visa",
      card_last4: "4242",
      user_id: "u1",
      email: "grace@example.com",
      first_name: "Grace",
      last_name: "Hopper",
    };
    const vat = {
      vat_invoice: "INV-000001",
      vat_rate_basis_points: 1750,
      vat_pence: 745,
      vat_left_pence: 372,
    };
    open("since=2026-11-01&until=2026-11-30", {
      admin_payments: { body: [] },
      admin_export_payments: {
        body: [
          { ...payment, ...vat },
          { ...payment, payment_id: "ch_2" },
        ],
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: /CSV/ }));
    await vi.waitFor(() => expect(saved).toHaveLength(1));
    const lines = (await saved[0]?.text())?.split("\r\n") ?? [];
    expect(lines[0]).toMatch(/,Currency,VAT invoice,VAT rate in per cent,VAT,VAT after refunds$/);
    expect(lines[1]).toMatch(/,50\.00,25\.00,GBP,INV-000001,17\.5,7\.45,3\.72$/);
    expect(lines[2]).toMatch(/,50\.00,25\.00,GBP,,,,$/);
  });
});
