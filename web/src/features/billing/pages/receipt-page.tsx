import type { ReactNode } from "react";
import { useParams } from "react-router";
import { brand, formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { paths } from "@/domain/paths.ts";
import { BusinessLines } from "@/features/legal/index.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { formatEpochDay } from "../components/format-subscription.ts";
import { carriedBalance, invoiceLineText, invoiceStatus } from "../components/describe-invoice.ts";
import { invoiceAmount, refundsOf, type Invoice, type Refund } from "../model/invoice.ts";
import { useInvoice, useInvoiceRefunds } from "../queries.ts";
import { invoiceStrings, receiptStrings } from "../strings/invoices.ts";

const noRefunds: readonly Refund[] = [];

/** `/subscriptions/invoices/:invoiceId`: one invoice on a page that prints well. */
export function ReceiptPage() {
  const { invoiceId = "" } = useParams();
  const { data, isError, isFetching, refetch } = useInvoice(invoiceId);
  return (
    <main id="main" className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-8 sm:px-8 print:p-0">
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
  const email = user?.email ?? "";
  const name = displayName(profile, "");
  const isPaid = invoice.status === "paid";
  const amount = (pence: number) => formatPence(pence, invoice.currency);
  const card = cardName(invoice.cardBrand, invoice.cardLast4);
  const carried = carriedBalance(invoice);
  return (
    <article className="grid gap-8 rounded-card border border-line bg-raised p-6 sm:p-10 print:rounded-none print:border-0 print:bg-transparent print:p-0">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid gap-1">
          <h1 className="display text-2xl">{invoiceStrings.name(isPaid)}</h1>
          <p className="tabular text-muted">{invoice.number}</p>
        </div>
        <Wordmark name={brand.name} />
      </header>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact name={receiptStrings.billedTo}>
          {name === "" ? null : <span className="block">{name}</span>}
          {email}
        </Fact>
        <Fact name={receiptStrings.status}>{invoiceStatus(invoice).text}</Fact>
        <Fact name={receiptStrings.issuedOn}>{longDate(invoice.issuedAt)}</Fact>
        {invoice.paidAt === null ? null : (
          <Fact name={receiptStrings.paidOn}>{longDate(invoice.paidAt)}</Fact>
        )}
        {card === null ? null : <Fact name={receiptStrings.paidWith}>{card}</Fact>}
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
            <SumRow name={carried.name}>{amount(carried.amountPence)}</SumRow>
          )}
          <SumRow name={receiptStrings.sum(isPaid)} strong>
            {amount(invoiceAmount(invoice))}
          </SumRow>
          {refunds.map(({ amountPence, refundedAt }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- Two refunds of one day may be alike.
            <SumRow
              key={index}
              name={receiptStrings.refunded(refundedAt === null ? null : longDate(refundedAt))}
            >
              {amount(-amountPence)}
            </SumRow>
          ))}
          {refunds.length > 0 ? (
            <SumRow name={receiptStrings.net} strong>
              {amount(invoice.amountPaidPence - invoice.amountRefundedPence)}
            </SumRow>
          ) : null}
        </tfoot>
      </table>
      <footer className="grid gap-2 border-t border-line pt-4 text-sm text-muted">
        <BusinessLines />
        <p>{brand.supportEmail}</p>
      </footer>
    </article>
  );
}

function SumRow({
  name,
  strong = false,
  children,
}: {
  readonly name: string;
  readonly strong?: boolean;
  readonly children: string;
}) {
  return (
    <tr className={strong ? "font-semibold" : "text-muted"}>
      <th scope="row" className="pt-3 pr-4 text-left font-[inherit]">
        {name}
      </th>
      <td className="pt-3 text-right">{children}</td>
    </tr>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular break-words">{children}</dd>
    </div>
  );
}
