import type { BackendClient } from "@/lib/backend-client.ts";
import type { BusinessDetails, LegalKind, LegalText } from "../model/legal-text.ts";

/** Reads a version, or the one in force; null when there is none. Throws the database's error. */
export async function fetchLegalText(
  client: BackendClient,
  kind: LegalKind,
  wanted: number | null = null,
): Promise<LegalText | null> {
  const texts = client
    .from("legal_texts")
    .select("version, body, summary, published_at")
    .eq("kind", kind);
  const { data, error } = await (wanted === null ? texts : texts.eq("version", wanted))
    .order("version", { ascending: false })
    .limit(1);
  if (error) throw error;
  const [row] = data;
  if (row === undefined) return null;
  const { version, body, summary, published_at: at } = row;
  return { version, body, summary, publishedAt: Date.parse(at) };
}

/** Reads who sells here. Throws the database's error. */
export async function fetchBusinessDetails(client: BackendClient): Promise<BusinessDetails> {
  const { data, error } = await client
    .from("business_details")
    .select("legal_name, address, company_number, vat_number")
    .limit(1);
  if (error) throw error;
  const [row] = data;
  return {
    legalName: row?.legal_name ?? null,
    address: row?.address ?? null,
    companyNumber: row?.company_number ?? null,
    vatNumber: row?.vat_number ?? null,
  };
}

/** Puts a new version into force. Administrators only. @returns its number. Throws the database's error. */
export async function publishLegalText(
  client: BackendClient,
  kind: LegalKind,
  body: string,
  summary: string,
): Promise<number> {
  const { data, error } = await client.rpc("publish_legal_text", { kind, body, summary });
  if (error) throw error;
  return data;
}

/** Says who sells here. Administrators only. Throws the database's error. */
export async function setBusinessDetails(
  client: BackendClient,
  details: Readonly<Record<keyof BusinessDetails, string>>,
): Promise<void> {
  const { error } = await client.rpc("set_business_details", {
    legal_name: details.legalName,
    address: details.address,
    company_number: details.companyNumber,
    vat_number: details.vatNumber,
  });
  if (error) throw error;
}
