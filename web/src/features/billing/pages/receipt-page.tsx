import { useParams } from "react-router";
import { brand, formatPenceInFull } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { paths, vatDocumentPath } from "@/domain/paths.ts";
import { BusinessLines } from "@/features/legal/index.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { Paper, PaperFact, PaperSum } from "../components/paper.tsx";
import { PartyLines, VatSums } from "../components/vat-document-body.tsx";
import { formatEpochDay } from "../components/format-subscription.ts";
import { carriedBalance, invoiceLineText, invoiceStatus } from "../components/describe-invoice.ts";
import { invoiceAmount, refundsOf, type Invoice, type Refund } from "../model/invoice.ts";
import type { VatDocument } from "../model/vat-document.ts";
import { useInvoice, useInvoiceRefunds, useVatDocuments } from "../queries.ts";
import { invoiceStrings, receiptStrings } from "../strings/invoices.ts";
import { vatDocumentStrings } from "../strings/vat.ts";

const noRefunds: readonly Refund[] = [];
const noDocuments: readonly VatDocument[] = [];

/** `/subscriptions/invoices/:invoiceId`: one invoice on a page that prints well. */
export function ReceiptPage() {
  const { invoiceId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useInvoice(invoiceId);
  return (
    <main id="main" className="mx-auto grid w-full max-w-column gap-6 px-4 py-8 sm:px-8 print:p-0">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <TextLink to={paths.subscriptions}>{receiptStrings.back}</TextLink>
        {data ? <Button onClick={() => window.print()}>{receiptStrings.print}</Button> : null}
      </div>
      {isError ? (
        <LoadFailed
          title={receiptStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data === null ? (
        <EmptyState title={receiptStrings.goneTitle}>{receiptStrings.gone}</EmptyState>
      ) : null}
      {data === undefined && !isError ? (
        <Loading label={receiptStrings.loading} className="grid gap-4">
          <Skeleton className="h-10 w-48" />
          <Skeleton className="h-64 rounded-card" />
        </Loading>
      ) : null}
      {data ? <Receipt invoice={data} /> : null}
    </main>
  );
}

function Receipt({ invoice }: { readonly invoice: Invoice }) {
  const { user, profile } = useSession();
  const { data: known = noRefunds } = useInvoiceRefunds(invoice);
  const refunds = refundsOf(invoice, known);
  const { data: documents = noDocuments } = useVatDocuments();
  const own = documents.filter(({ invoiceId }) => invoiceId === invoice.id);
  const bill = own.find(({ kind }) => kind === "invoice");
  const email = user?.email ?? "";
  const name = displayName(profile, "");
  const isPaid = invoice.status === "paid";
  const amount = (pence: number) => formatPenceInFull(pence, invoice.currency);
  const card = cardName(invoice.cardBrand, invoice.cardLast4);
  const carried = carriedBalance(invoice);
  return (
    <Paper>
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h1 className="display text-2xl">
            {bill ? vatDocumentStrings.names.invoice : invoiceStrings.name(isPaid)}
          </h1>
          <p className="tabular text-muted">{bill?.number ?? invoice.number}</p>
        </div>
        <Wordmark name={brand.name} />
      </header>
      <dl className="grid gap-4 sm:grid-cols-2">
        <PaperFact name={receiptStrings.billedTo}>
          {bill ? (
            <PartyLines
              party={bill.buyer}
              business={bill.buyerBusiness}
              name={bill.buyer.name ?? name}
            />
          ) : (
            <>
              {name === "" ? null : <span className="block">{name}</span>}
              {email}
            </>
          )}
        </PaperFact>
        <PaperFact name={receiptStrings.status}>{invoiceStatus(invoice).text}</PaperFact>
        <PaperFact name={receiptStrings.issuedOn}>{longDate(invoice.issuedAt)}</PaperFact>
        {invoice.paidAt === null ? null : (
          <PaperFact name={receiptStrings.paidOn}>{longDate(invoice.paidAt)}</PaperFact>
        )}
        {card === null ? null : <PaperFact name={receiptStrings.paidWith}>{card}</PaperFact>}
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
          {invoice.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- The lines never change, and two may be alike.
            <tr key={index} className="border-b border-line">
              <td className="py-3 pr-4">
                {invoiceLineText(line.description, invoice.currency)}
                <span className="block text-sm text-muted">
                  {receiptStrings.period(
                    formatEpochDay(line.periodStart),
                    formatEpochDay(line.periodEnd),
                  )}
                </span>
              </td>
              <td className="tabular py-3 text-right align-top">{amount(line.amountPence)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="tabular">
          {carried === null ? null : (
            <PaperSum name={carried.name}>{amount(carried.amountPence)}</PaperSum>
          )}
          {bill ? <VatSums document={bill} /> : null}
          <PaperSum name={receiptStrings.sum(isPaid)} strong>
            {amount(invoiceAmount(invoice))}
          </PaperSum>
          {refunds.map(({ amountPence, refundedAt }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- Two refunds of one day may be alike.
            <PaperSum
              key={index}
              name={receiptStrings.refunded(refundedAt === null ? null : longDate(refundedAt))}
            >
              {amount(-amountPence)}
            </PaperSum>
          ))}
          {refunds.length > 0 ? (
            <PaperSum name={receiptStrings.net} strong>
              {amount(invoice.amountPaidPence - invoice.amountRefundedPence)}
            </PaperSum>
          ) : null}
        </tfoot>
      </table>
      <footer className="grid gap-2 border-t border-line pt-4 text-sm text-muted">
        {bill ? (
          <address className="grid not-italic">
            <PartyLines party={bill.seller} name={bill.seller.name ?? brand.name} />
          </address>
        ) : (
          <BusinessLines />
        )}
        {own
          .filter(({ kind }) => kind !== "invoice")
          .map(({ number, kind }) => (
            <p key={number}>
              <TextLink to={vatDocumentPath(number)}>
                {vatDocumentStrings.names[kind]} {number}
              </TextLink>
            </p>
          ))}
        {invoice.papers.length === 0 ? null : (
          <p className="flex flex-wrap gap-x-4 gap-y-1 print:hidden">
            {invoice.papers.map(({ kind, url }) => (
              <a
                key={kind}
                href={url}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {receiptStrings.papers[kind]}
              </a>
            ))}
          </p>
        )}
        <p>{brand.supportEmail}</p>
      </footer>
    </Paper>
  );
}
