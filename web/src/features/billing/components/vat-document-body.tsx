import { brand, formatPenceInFull } from "@/domain/brand.ts";
import { formatVatRate } from "@/features/legal/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Wordmark } from "@/ui/rising-line.tsx";
import type { VatDocument, VatParty } from "../model/vat-document.ts";
import { receiptStrings } from "../strings/invoices.ts";
import { vatDocumentStrings } from "../strings/vat.ts";
import { formatEpochDay } from "./format-subscription.ts";
import { PaperFact, PaperSum, Paper } from "./paper.tsx";

/** A VAT document on a page that prints well. */
export function VatDocumentBody({
  document,
  buyerName,
}: {
  readonly document: VatDocument;
  /** In the place of a name that was not known when it was issued. */
  readonly buyerName: string;
}) {
  const { kind, period } = document;
  const amount = (pence: number) => formatPenceInFull(pence, document.currency);
  const [issued, supplied] = [longDate(document.issuedAt), longDate(document.suppliedAt)];
  return (
    <Paper>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h1 className="display text-2xl">{vatDocumentStrings.names[kind]}</h1>
          <p className="tabular text-muted">{document.number}</p>
        </div>
        <Wordmark name={brand.name} />
      </header>
      <dl className="grid gap-4 sm:grid-cols-2">
        <PaperFact name={vatDocumentStrings.seller}>
          <PartyLines party={document.seller} name={document.seller.name ?? brand.name} />
        </PaperFact>
        <PaperFact name={vatDocumentStrings.buyer}>
          <PartyLines
            party={document.buyer}
            business={document.buyerBusiness}
            name={document.buyer.name ?? buyerName}
          />
        </PaperFact>
        {document.corrects === null ? null : (
          <PaperFact name={vatDocumentStrings.corrects}>{document.corrects}</PaperFact>
        )}
        <PaperFact name={vatDocumentStrings.issuedOn}>{issued}</PaperFact>
        {supplied === issued ? null : (
          <PaperFact name={vatDocumentStrings.taxPoint}>{supplied}</PaperFact>
        )}
      </dl>
      <table className="w-full text-left">
        <thead className="text-sm text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-4 font-medium">
              {receiptStrings.line}
            </th>
            <th scope="col" className="py-2 text-right font-medium">
              {receiptStrings.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-line">
            <td className="py-3 pr-4 wrap-anywhere">
              {document.description}
              {period === null ? null : (
                <span className="block text-sm text-muted">
                  {receiptStrings.period(formatEpochDay(period.start), formatEpochDay(period.end))}
                </span>
              )}
            </td>
            <td className="tabular py-3 text-right align-top">{amount(document.grossPence)}</td>
          </tr>
        </tbody>
        <tfoot className="tabular">
          <VatSums document={document} />
          <PaperSum name={vatDocumentStrings.gross[kind]} strong>
            {amount(document.grossPence)}
          </PaperSum>
        </tfoot>
      </table>
      <footer className="grid gap-2 border-t border-line pt-4 text-sm text-muted">
        {kind === "debit_note" ? <p>{vatDocumentStrings.debitReason}</p> : null}
        <p>{brand.supportEmail}</p>
      </footer>
    </Paper>
  );
}

/** Net amount and VAT, as rows of sums. */
export function VatSums({
  document,
}: {
  readonly document: Pick<VatDocument, "netPence" | "vatPence" | "rateBasisPoints" | "currency">;
}) {
  const amount = (pence: number) => formatPenceInFull(pence, document.currency);
  return (
    <>
      <PaperSum name={vatDocumentStrings.net}>{amount(document.netPence)}</PaperSum>
      <PaperSum name={vatDocumentStrings.vat(formatVatRate(document.rateBasisPoints))}>
        {amount(document.vatPence)}
      </PaperSum>
    </>
  );
}

/** Name, business, address and numbers of one side, line by line. */
export function PartyLines({
  party,
  name,
  business = null,
}: {
  readonly party: VatParty;
  readonly name: string;
  readonly business?: string | null;
}) {
  const lines = [
    business,
    name,
    ...(party.address?.split("\n") ?? []),
    party.email,
    party.companyNumber === null ? null : vatDocumentStrings.company(party.companyNumber),
    party.vatNumber === null ? null : vatDocumentStrings.vatNumber(party.vatNumber),
  ].filter((line): line is string => line !== null && line !== "");
  return lines.map((line, place) => (
    <span key={`${place} ${line}`} className="block wrap-anywhere">
      {line}
    </span>
  ));
}
