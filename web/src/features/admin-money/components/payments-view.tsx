import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { DateRangeFields } from "@/ui/date-range-fields.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { FilterField } from "@/ui/filter-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { PaymentFilters } from "../api/fetch-payments.ts";
import { payerLabel, payerName, paymentStates } from "./describe-payment.ts";
import { afterRefund, refundable, type Payment } from "../model/payment.ts";
import { usePayments } from "../queries.ts";
import { moneyFields } from "../strings/fields.ts";
import { paymentsViewStrings } from "../strings/payments.ts";
import { ExportPayments } from "./export-payments.tsx";
import { PayerCell } from "./payer-cell.tsx";
import { PaymentPanel } from "./payment-panel.tsx";

const column = dataColumns<Payment>();
const columns = column.columns([
  column.accessor((payment) => payerName(payment.payer), {
    id: "member",
    header: moneyFields.member,
    cell: (cell) => <PayerCell payer={cell.row.original.payer} />,
  }),
  column.accessor("paidAt", {
    header: moneyFields.paid,
    cell: (cell) => <PaidAt time={cell.getValue()} />,
  }),
  column.accessor("invoiceNumber", { header: moneyFields.invoice, meta: { wideOnly: true } }),
  column.accessor("state", {
    header: moneyFields.state,
    meta: { wideOnly: true },
    cell: (cell) => <State state={cell.getValue()} />,
  }),
  column.accessor("amountPence", {
    header: moneyFields.amount,
    meta: { align: "right" },
    cell: (cell) => (
      <span className="grid justify-items-end gap-1">
        {formatPence(cell.getValue(), cell.row.original.currency)}
        {/* Where its own column has no room. */}
        <span className="md:hidden">
          <State state={cell.row.original.state} />
        </span>
      </span>
    ),
  }),
]);

function State({ state }: { readonly state: string }) {
  return (
    <Badge colour={paymentStates[state]?.colour}>{paymentStates[state]?.label ?? state}</Badge>
  );
}

function PaidAt({ time }: { readonly time: number }) {
  return <span className="whitespace-nowrap">{shortTime(time, useNow())}</span>;
}

const states = Object.entries(paymentStates).map(([value, { label }]) => ({ value, label }));

/** All payments: found by name, address or invoice number, filtered by state and days. */
export function PaymentsView({
  filters,
  onFilter,
  refundOf,
  onRefundLeft,
}: {
  readonly filters: PaymentFilters;
  readonly onFilter: (changes: Partial<PaymentFilters>, options?: { replace: boolean }) => void;
  /** The account whose newest payment is open from the start, to be refunded; empty for none. */
  readonly refundOf: string;
  /** Called when that payment is left. */
  readonly onRefundLeft: () => void;
}) {
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    usePayments(filters);
  const [chosen, setChosen] = useState<Payment | null>(null);
  const [moreOpen, setMoreOpen] = useState(
    () => filters.state !== "" || filters.since !== "" || filters.until !== "",
  );
  const rows = data?.pages.flat();
  const aimed =
    refundOf === ""
      ? undefined
      : rows?.find((each) => each.payer.userId === refundOf && refundable(each) > 0);
  const open = chosen ?? aimed ?? null;
  const isFiltered = Object.values(filters).some((value) => value !== "");
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <FilterField
          label={paymentsViewStrings.search}
          type="search"
          placeholder={paymentsViewStrings.searchHint}
          fieldClassName="min-w-60 grow"
          value={filters.search}
          onCommit={(search) => onFilter({ search }, { replace: true })}
        />
        {/* A phone's first screen is for the payments. */}
        <Button
          variant="secondary"
          size="sm"
          className="sm:hidden"
          aria-expanded={moreOpen}
          onClick={() => setMoreOpen(!moreOpen)}
        >
          {paymentsViewStrings.moreFilters}
        </Button>
        <div
          className={classNames(
            "flex flex-wrap items-end gap-3 sm:contents",
            !moreOpen && "max-sm:hidden",
          )}
        >
          <SelectField
            label={moneyFields.state}
            options={states}
            placeholder={paymentsViewStrings.anyState}
            value={filters.state}
            onChange={(event) => onFilter({ state: event.target.value })}
          />
          <DateRangeFields
            from={filters.since}
            to={filters.until}
            onFrom={(since) => onFilter({ since })}
            onTo={(until) => onFilter({ until })}
          />
          <ExportPayments filters={filters} />
        </div>
      </div>
      {isError && !rows ? (
        <LoadFailed
          title={paymentsViewStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <DataTable
          label={paymentsViewStrings.title}
          columns={columns}
          rows={rows}
          rowId={(payment) => payment.id}
          rowLabel={(payment) =>
            `${payerLabel(payment.payer)}, ${formatPence(payment.amountPence, payment.currency)}, ${paymentStates[payment.state]?.label ?? payment.state}`
          }
          openId={open?.id ?? null}
          onOpen={setChosen}
          empty={
            <EmptyState
              title={isFiltered ? paymentsViewStrings.noMatchTitle : paymentsViewStrings.emptyTitle}
              action={
                isFiltered ? (
                  <Button
                    variant="secondary"
                    size="sm"
                    onClick={() => onFilter({ search: "", state: "", since: "", until: "" })}
                  >
                    {paymentsViewStrings.clearFilters}
                  </Button>
                ) : null
              }
            >
              {isFiltered ? paymentsViewStrings.noMatch : paymentsViewStrings.empty}
            </EmptyState>
          }
          more={
            hasNextPage
              ? { loading: isFetchingNextPage, load: () => void fetchNextPage() }
              : undefined
          }
        />
      )}
      <PaymentPanel
        // Once it is refunded, a payment may not be among the rows that are asked for; its panel says what became of it.
        payment={rows?.find(({ id }) => id === open?.id) ?? open}
        onRefunded={({ amountPence }) => setChosen(open && afterRefund(open, amountPence))}
        onClose={() => {
          setChosen(null);
          if (refundOf !== "") onRefundLeft();
        }}
      />
    </div>
  );
}
