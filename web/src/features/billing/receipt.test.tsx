import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { subscriptionRow } from "./testing/subscription-rows.ts";

const invoice = {
  invoice_id: "in_1",
  customer_id: "cus_1",
  number: "F4-0001",
  status: "paid",
  currency: "gbp",
  total_pence: 8000,
  starting_balance_pence: -500,
  amount_due_pence: 7500,
  amount_paid_pence: 7500,
  amount_refunded_pence: 0,
  lines: [
    {
      description: "1 × Mentor Access",
      amount_pence: 10_000,
      period_start: 1_796_083_200,
      period_end: 1_798_761_600,
    },
    {
      description: "Discount",
      amount_pence: -2000,
      period_start: 1_796_083_200,
      period_end: 1_798_761_600,
    },
  ],
  card_brand: "visa",
  card_last4: "4242",
  issued_at: "2026-12-01T09:00:00Z",
  paid_at: "2026-12-01T09:00:00Z",
};

function open(invoices: object) {
  const rows = { ...memberRows(), invoices };
  return renderApp("/subscriptions/invoices/in_1", { session: sessionOf(), rows });
}

/** The table as rows of text. */
const rows = () =>
  screen
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent).join(" | "));

describe("the receipt", () => {
  it("adds up: lines, discount, credit and what was paid", async () => {
    open(invoice);
    expect(await screen.findByRole("heading", { name: "Receipt" })).toBeVisible();
    expect(rows()).toEqual([
      "For | Amount",
      "1 × Mentor Access1 December 2026 to 1 January 2027 | £100.00",
      "Discount1 December 2026 to 1 January 2027 | -£20.00",
      "Credit used | -£5.00",
      "Paid | £75.00",
    ]);
    expect(screen.getByText("F4-0001")).toBeVisible();
    expect(screen.getByText("ada@example.com")).toBeVisible();
    expect(screen.getByText("Visa ending in 4242")).toBeVisible();
    expect(screen.getByText("Paid on")).toBeVisible();
    expect(screen.getByRole("button", { name: "Print" })).toBeVisible();
  });

  it("leads to the card provider's own papers, and to no address that is none", async () => {
    open({
      ...invoice,
      receipt_url: "https://pay.stripe.example/receipts/1",
      hosted_url: "https://invoice.stripe.example/i/1",
      pdf_url: "javascript:alert(1)",
    });
    expect(
      await screen.findByRole("link", { name: "The card provider's receipt" }),
    ).toHaveAttribute("href", "https://pay.stripe.example/receipts/1");
    expect(screen.getByRole("link", { name: "The card provider's invoice" })).toHaveAttribute(
      "href",
      "https://invoice.stripe.example/i/1",
    );
    expect(screen.queryByRole("link", { name: "As a PDF" })).not.toBeInTheDocument();
  });

  it("says a plan's price as the other screens do, and other lines as they came", async () => {
    const line = (description: string) => ({ ...invoice.lines[0], description });
    open({
      ...invoice,
      lines: [
        line("1 × Student Access (at GBP 50.00 / month)"),
        line("1 × Mentor Access (at £1,000.50 / year)"),
        line("2 × Student Access (at GBP 50.00 / month)"),
        line("Remaining time on Mentor Access after 1 Dec 2026"),
        line("Trial period for Student Access"),
      ],
    });
    await screen.findByRole("heading", { name: "Receipt" });
    const lines = rows()
      .slice(1, 6)
      .map((row) => row.split("1 December 2026 to")[0]);
    expect(lines).toEqual([
      "Student Access, £50 per month",
      "Mentor Access, £1,000.50 per year",
      "2 × Student Access (at GBP 50.00 / month)",
      "Remaining time on Mentor Access after 1 Dec 2026",
      "Trial period for Student Access",
    ]);
  });

  it("shows two lines that are alike, and what was refunded", async () => {
    open({
      ...invoice,
      lines: [invoice.lines[0], invoice.lines[0]],
      total_pence: 20_000,
      starting_balance_pence: 0,
      amount_due_pence: 20_000,
      amount_paid_pence: 20_000,
      amount_refunded_pence: 5000,
    });
    await screen.findByRole("heading", { name: "Receipt" });
    expect(rows().filter((row) => row.includes("Mentor Access"))).toHaveLength(2);
    expect(rows().slice(-3)).toEqual([
      "Paid | £200.00",
      "Refunded | -£50.00",
      "Paid after refunds | £150.00",
    ]);
    expect(screen.getByText("Partly refunded")).toBeVisible();
  });

  it("says when each refund was made, and what remains", async () => {
    const refunded = { ...invoice, amount_refunded_pence: 7500 };
    renderApp("/subscriptions/invoices/in_1", {
      session: sessionOf(),
      rows: { ...memberRows(), invoices: refunded },
      reply: ({ call, body }) =>
        call === "POST /rest/v1/rpc/invoice_refunds" &&
        (body as { invoice: string }).invoice === "in_1"
          ? {
              body: [
                { amount_pence: 1250, refunded_at: "2026-12-03T23:30:00+00:00" },
                { amount_pence: 6250, refunded_at: "2026-12-09T08:00:00+00:00" },
              ],
            }
          : undefined,
    });
    expect(await screen.findByText("Refunded on 3 December 2026")).toBeVisible();
    expect(rows().slice(-4)).toEqual([
      "Paid | £75.00",
      "Refunded on 3 December 2026 | -£12.50",
      "Refunded on 9 December 2026 | -£62.50",
      "Paid after refunds | £0.00",
    ]);
  });

  it("is billed to a person by name, and to the address alone without one", async () => {
    const { unmount } = open(invoice);
    const billedTo = async () => (await screen.findByText("Billed to")).nextSibling?.textContent;
    expect(await billedTo()).toBe("Ada Lovelaceada@example.com");
    unmount();
    const profiles = Object.assign({}, memberRows().profiles, {
      first_name: null,
      last_name: null,
    });
    renderApp("/subscriptions/invoices/in_1", {
      session: sessionOf(),
      rows: { ...memberRows(), profiles, invoices: invoice },
    });
    expect(await billedTo()).toBe("ada@example.com");
  });

  it("of an open invoice says what is due", async () => {
    open({ ...invoice, status: "open", amount_paid_pence: 0, paid_at: null, card_last4: null });
    expect(await screen.findByRole("heading", { name: "Invoice" })).toBeVisible();
    expect(rows().at(-1)).toBe("Due | £75.00");
    expect(screen.queryByText("Paid on")).not.toBeInTheDocument();
    expect(screen.queryByText("Paid with")).not.toBeInTheDocument();
  });

  it("that does not exist, or belongs to another account, is not found", async () => {
    open([]);
    expect(await screen.findByText("Invoice not found")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Print" })).not.toBeInTheDocument();
  });
});

describe("the list of invoices", () => {
  it("says what a discount and credit took off", async () => {
    const rows = { ...memberRows(), stripe_subscriptions: subscriptionRow(), invoices: [invoice] };
    renderApp("/subscriptions", { session: sessionOf(), rows });
    const list = await screen.findByRole("region", { name: "Invoices" });
    expect(await screen.findByText("£75")).toBeVisible();
    expect(list).toHaveTextContent("Discount -£20 · Credit used -£5");
  });

  it("leaves out a purchase or a switch that the card did not pay and the months of a pause, and keeps a bill that staff cancelled", async () => {
    const voided = (id: string, reason: string, due: number) => ({
      ...invoice,
      invoice_id: id,
      reason,
      status: "void",
      amount_due_pence: due,
      amount_paid_pence: 0,
    });
    const invoices = [
      { ...invoice, reason: "subscription_create" },
      voided("in_2", "subscription_create", 5000),
      voided("in_3", "subscription_update", 4999),
      { ...voided("in_4", "subscription_cycle", 10_000), attempt_count: 1 },
      // Void before any try: the renewals of a pause.
      { ...voided("in_5", "subscription_cycle", 5000), attempt_count: 0 },
    ];
    const rows = { ...memberRows(), stripe_subscriptions: subscriptionRow(), invoices };
    renderApp("/subscriptions", { session: sessionOf(), rows });
    const list = await screen.findByRole("region", { name: "Invoices" });
    expect(await within(list).findByText("£75")).toBeVisible();
    const entries = within(list).getAllByRole("listitem");
    expect(entries.map((entry) => entry.textContent)).toEqual([
      expect.stringContaining("£75"),
      expect.stringContaining("£100"),
    ]);
    expect(entries[1]).toHaveTextContent("Cancelled");
  });
});
