import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { subscriptionRow } from "./testing/subscription-rows.ts";

const bill = {
  number: "INV-000042",
  kind: "invoice",
  corrects: null,
  payment_id: "ch_1",
  invoice_id: "in_1",
  issued_at: "2026-12-01T09:00:00Z",
  supplied_at: "2026-12-01T09:00:00Z",
  description: "Student Access",
  period_start: 1_796_083_200,
  period_end: 1_798_761_600,
  currency: "gbp",
  gross_pence: 5000,
  net_pence: 4167,
  vat_pence: 833,
  rate_basis_points: 2000,
  seller: {
    legal_name: "Fourfold Ltd",
    address: "1 High Street\nLeeds",
    company_number: "01234567",
    vat_number: "GB123456789",
  },
  buyer: {
    name: "Ada Lovelace",
    email: "ada@example.com",
    business_name: "Byron Engines",
    vat_number: "GB987654321",
  },
};
const note = {
  ...bill,
  number: "CN-000007",
  kind: "credit_note",
  corrects: "INV-000042",
  issued_at: "2026-12-04T09:00:00Z",
  supplied_at: "2026-12-03T09:00:00Z",
  gross_pence: 1000,
  net_pence: 833,
  vat_pence: 167,
};
const course = {
  purchase_id: "p-1",
  course_id: "c-1",
  slug: "letters",
  title: "Letters that sell",
  amount_pence: 5000,
  bought_at: "2026-12-01T09:00:00Z",
  number: "ch_1",
  refunded_pence: 0,
  card_brand: "visa",
  card_last4: "4242",
  state: "paid",
  lessons: 2,
  completed: 0,
};
const invoice = {
  invoice_id: "in_1",
  customer_id: "cus_1",
  number: "F4-0001",
  status: "paid",
  currency: "gbp",
  total_pence: 5000,
  starting_balance_pence: 0,
  amount_due_pence: 5000,
  amount_paid_pence: 5000,
  amount_refunded_pence: 1000,
  lines: [
    {
      description: "1 × Student Access (at GBP 50.00 / month)",
      amount_pence: 5000,
      period_start: 1_796_083_200,
      period_end: 1_798_761_600,
    },
  ],
  card_brand: "visa",
  card_last4: "4242",
  issued_at: "2026-12-01T09:00:00Z",
  paid_at: "2026-12-01T09:00:00Z",
};

function open(path: string, more: Record<string, unknown> = {}) {
  return renderApp(path, {
    session: sessionOf(),
    rows: {
      ...memberRows(),
      stripe_subscriptions: subscriptionRow(),
      invoices: invoice,
      ...more,
    },
    reply: ({ call }) => {
      if (call.endsWith("/rpc/my_vat_documents")) return { body: [note, bill] };
      if (call.endsWith("/rpc/my_buyer_details")) return { body: [] };
      if (call.endsWith("/rpc/set_buyer_details")) return { status: 204 };
      return undefined;
    },
  });
}

const rows = () =>
  screen
    .getAllByRole("row")
    .map((row) => [...row.children].map((cell) => cell.textContent).join(" | "));

describe("a receipt while VAT is charged", () => {
  it("is a VAT invoice: number, seller and buyer, net, VAT and gross, and its credit note", async () => {
    open("/subscriptions/invoices/in_1");
    expect(await screen.findByRole("heading", { name: "VAT invoice" })).toBeVisible();
    expect(screen.getByText("INV-000042")).toBeVisible();
    expect(rows()).toEqual([
      "For | Amount",
      "Student Access, £50 per month1 December 2026 to 1 January 2027 | £50.00",
      "Net | £41.67",
      "VAT at 20% | £8.33",
      "Paid | £50.00",
      "Refunded | -£10.00",
      "Paid after refunds | £40.00",
    ]);
    for (const line of ["Fourfold Ltd", "Leeds", "VAT number GB123456789", "Byron Engines"]) {
      expect(screen.getByText(line)).toBeVisible();
    }
    expect(screen.getByRole("link", { name: "Credit note CN-000007" })).toHaveAttribute(
      "href",
      "/subscriptions/documents/CN-000007",
    );
  });
});

describe("the receipt of a course while VAT is charged", () => {
  it("says net and VAT, and leads to its VAT invoice", async () => {
    renderApp("/your-courses/receipts/p-1", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => {
        if (call.endsWith("/rpc/my_courses")) return { body: [course] };
        return call.endsWith("/rpc/my_vat_documents") ? { body: [bill] } : undefined;
      },
    });
    const link = await screen.findByRole("link", { name: "VAT invoice INV-000042" });
    expect(link).toHaveAttribute("href", "/subscriptions/documents/INV-000042");
    const fact = (name: string) => screen.getByText(name).nextSibling?.textContent;
    expect([fact("Paid"), fact("Net"), fact("VAT at 20%")]).toEqual(["£50.00", "£41.67", "£8.33"]);
  });
});

describe("a credit note", () => {
  it("names its invoice, its days and what of the amount is VAT", async () => {
    open("/subscriptions/documents/CN-000007");
    expect(await screen.findByRole("heading", { name: "Credit note" })).toBeVisible();
    const fact = (name: string) => screen.getByText(name).nextSibling?.textContent;
    expect(fact("For invoice")).toBe("INV-000042");
    expect(fact("Issued on")).toBe("4 December 2026");
    expect(fact("Tax point")).toBe("3 December 2026");
    expect(fact("To")).toBe("Byron EnginesAda Lovelaceada@example.comVAT number GB987654321");
    expect(rows().slice(1)).toEqual([
      "Student Access1 December 2026 to 1 January 2027 | £10.00",
      "Net | £8.33",
      "VAT at 20% | £1.67",
      "Credited | £10.00",
    ]);
  });

  it("of another account, or none, is not found", async () => {
    open("/subscriptions/documents/CN-000008");
    expect(await screen.findByText("Document not found")).toBeVisible();
  });
});

describe("the membership page while VAT is charged", () => {
  it("lists the documents, and takes the details of a business", async () => {
    const view = open("/subscriptions", {
      vat_settings: [{ mode: "fixed", rate_basis_points: 2000 }],
    });
    const list = within(await screen.findByRole("region", { name: /VAT invoices/ }));
    expect(list.getAllByRole("listitem").map((entry) => entry.textContent)).toEqual([
      "4 December 2026-£10Student AccessCredit noteCN-000007",
      "1 December 2026£50Student AccessVAT invoiceINV-000042",
    ]);
    await userEvent.click(await screen.findByText("Buying for a business?"));
    await userEvent.type(screen.getByLabelText("Business name"), "Byron Engines");
    await userEvent.type(screen.getByLabelText("VAT number"), "GB987654321");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Saved. It will be on your next invoices.")).toBeVisible();
    const sent = view.seen.find(({ call }) => call.endsWith("/rpc/set_buyer_details"));
    expect(sent?.body).toEqual({
      business_name: "Byron Engines",
      address: "",
      vat_number: "GB987654321",
    });
  });

  it("asks for no business while none is charged", async () => {
    open("/subscriptions");
    expect(await screen.findByRole("region", { name: /VAT invoices/ })).toBeVisible();
    expect(screen.queryByText("Buying for a business?")).not.toBeInTheDocument();
  });
});
