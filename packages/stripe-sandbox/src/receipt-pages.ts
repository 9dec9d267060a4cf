import type { Hono } from "hono";
import type Stripe from "stripe";
import type { SandboxState } from "./sandbox-state.ts";

function money(amount: number, currency: string): string {
  return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount / 100);
}

function page(title: string, lines: readonly string[]): string {
  return `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><h1>${title}</h1>${lines.map((line) => `<p>${line}</p>`).join("")}</body></html>`;
}

/** One page of text as a PDF. The text is ASCII without brackets, so nothing has to be escaped. */
function pdf(lines: readonly string[]): string {
  const text = `BT /F1 14 Tf 72 760 Td 20 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(at).padStart(10, "0");
  });
  const rows = ["0000000000 65535 f ", ...offsets.map((at) => `${at} 00000 n `)];
  return `${body}xref\n0 5\n${rows.join("\n")}\ntrailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}

function invoiceLines({ number, total, currency }: Stripe.Invoice): string[] {
  return [`Number ${number ?? ""}`, `Total ${(total / 100).toFixed(2)} ${currency.toUpperCase()}`];
}

/** The pages that `receipt_url`, `hosted_invoice_url` and `invoice_pdf` lead to. Who knows an id may read them, as at Stripe. */
export function addReceiptPages(app: Hono, state: SandboxState): void {
  app.get("/receipts/:charge", (c) => {
    const charge = state.find("charges", c.req.param("charge"));
    if (charge === undefined) return c.notFound();
    return c.html(
      page("Receipt of the card sandbox", [
        `Paid ${money(charge.amount, charge.currency)}`,
        `Refunded ${money(charge.amount_refunded, charge.currency)}`,
      ]),
    );
  });
  app.get("/invoices/:invoice", (c) => {
    const invoice = state.find("invoices", c.req.param("invoice"));
    if (invoice === undefined || invoice.status === "draft") return c.notFound();
    return c.html(page("Invoice of the card sandbox", invoiceLines(invoice)));
  });
  app.get("/invoices/:invoice/pdf", (c) => {
    const invoice = state.find("invoices", c.req.param("invoice"));
    if (invoice === undefined || invoice.status === "draft") return c.notFound();
    return c.body(pdf(["Invoice of the card sandbox", ...invoiceLines(invoice)]), 200, {
      "content-type": "application/pdf",
    });
  });
}
