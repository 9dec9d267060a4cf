import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { BuyerDetails, VatDocument } from "../model/vat-document.ts";

const text = z.optional(z.nullable(z.string()));
const party = z.object({
  name: text,
  legal_name: text,
  business_name: text,
  email: text,
  address: text,
  company_number: text,
  vat_number: text,
});
const rows = z.array(
  z.object({
    number: z.string(),
    kind: z.string(),
    corrects: z.nullable(z.string()),
    payment_id: z.string(),
    invoice_id: z.nullable(z.string()),
    issued_at: z.string(),
    supplied_at: z.string(),
    description: z.string(),
    period_start: z.nullable(z.number()),
    period_end: z.nullable(z.number()),
    currency: z.string(),
    gross_pence: z.number(),
    net_pence: z.number(),
    vat_pence: z.number(),
    rate_basis_points: z.number(),
    seller: party,
    buyer: z.nullable(party),
  }),
);

/** Reads the member's VAT documents, newest first. Throws the database's error. */
export async function fetchVatDocuments(client: BackendClient): Promise<readonly VatDocument[]> {
  const { data, error } = await client.rpc("my_vat_documents");
  if (error) throw error;
  return rows.parse(data ?? []).map(toDocument);
}

function toDocument(row: z.infer<typeof rows>[number]): VatDocument {
  const { period_start: start, period_end: end, seller, buyer } = row;
  return {
    number: row.number,
    kind: row.kind === "credit_note" || row.kind === "debit_note" ? row.kind : "invoice",
    corrects: row.corrects,
    paymentId: row.payment_id,
    invoiceId: row.invoice_id,
    issuedAt: Date.parse(row.issued_at),
    suppliedAt: Date.parse(row.supplied_at),
    description: row.description,
    period: start === null || end === null ? null : { start, end },
    currency: row.currency.toUpperCase(),
    grossPence: row.gross_pence,
    netPence: row.net_pence,
    vatPence: row.vat_pence,
    rateBasisPoints: row.rate_basis_points,
    seller: toParty(seller, seller.legal_name),
    buyer: toParty(buyer, buyer?.name),
    buyerBusiness: buyer?.business_name ?? null,
  };
}

function toParty(given: z.infer<typeof party> | null, name: string | null | undefined) {
  return {
    name: name ?? null,
    email: given?.email ?? null,
    address: given?.address ?? null,
    companyNumber: given?.company_number ?? null,
    vatNumber: given?.vat_number ?? null,
  };
}

const details = z.array(z.object({ business_name: text, address: text, vat_number: text }));

/** Reads what the member wants on VAT invoices. Throws the database's error. */
export async function fetchBuyerDetails(client: BackendClient): Promise<BuyerDetails> {
  const { data, error } = await client.rpc("my_buyer_details");
  if (error) throw error;
  const [row] = details.parse(data ?? []);
  return {
    businessName: row?.business_name ?? "",
    address: row?.address ?? "",
    vatNumber: row?.vat_number ?? "",
  };
}

/** Says what stands on the member's VAT invoices from now on. Throws the database's error. */
export async function setBuyerDetails(
  client: BackendClient,
  { businessName, address, vatNumber }: BuyerDetails,
): Promise<void> {
  const given = { business_name: businessName, address, vat_number: vatNumber };
  const { error } = await client.rpc("set_buyer_details", given);
  if (error) throw error;
}
