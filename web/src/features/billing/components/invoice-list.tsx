import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { receiptPath } from "@/domain/paths.ts";
import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { invoiceReductions, invoiceStatus } from "./describe-invoice.ts";
import { invoiceAmount, type Invoice } from "../model/invoice.ts";
import { useInvoices } from "../queries.ts";
import { invoiceStrings } from "../strings/invoices.ts";

/** Every invoice of the member, newest first, with the way to its receipt. */
export function InvoiceList() {
  const { data, isError, isFetching, refetch } = useInvoices();
  return (
    <section aria-labelledby="invoices" className="grid gap-4">
      <h2 id="invoices" className="text-lg font-medium">
        {invoiceStrings.title}
      </h2>
      {isError ? (
        <LoadFailed
          title={invoiceStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {!data && !isError ? (
        <Loading label={invoiceStrings.loading} className="grid gap-3">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </Loading>
      ) : null}
      {data?.length === 0 ? <p className="text-muted">{invoiceStrings.empty}</p> : null}
      {data && data.length > 0 ? (
        <Card className="p-0 sm:p-0">
          <ul className="divide-y divide-line">
            {data.map((invoice) => (
              <InvoiceEntry key={invoice.id} invoice={invoice} />
            ))}
          </ul>
        </Card>
      ) : null}
    </section>
  );
}

function InvoiceEntry({ invoice }: { readonly invoice: Invoice }) {
  const { text, tone } = invoiceStatus(invoice);
  const day = longDate(invoice.issuedAt);
  const reductions = invoiceReductions(invoice).map(
    ({ name, amountPence }) => `${name} ${formatPence(amountPence, invoice.currency)}`,
  );
  return (
    <li className="flex items-center gap-4 px-5 py-3">
      <span className="grid grow gap-x-4 sm:grid-cols-[10rem_1fr]">
        <span>{day}</span>
        <span className="tabular font-medium">
          {formatPence(invoiceAmount(invoice), invoice.currency)}
          {reductions.length === 0 ? null : (
            <span className="block text-sm font-normal text-muted">{reductions.join(" · ")}</span>
          )}
        </span>
      </span>
      <Badge colour={tone}>{text}</Badge>
      <Link
        to={receiptPath(invoice.id)}
        className="inline-flex min-h-11 items-center font-medium underline decoration-control-line underline-offset-4 hover:decoration-ink"
      >
        {invoiceStrings.name(invoice.status === "paid")}
        <span className="sr-only">{invoiceStrings.ofDay(day)}</span>
      </Link>
    </li>
  );
}
