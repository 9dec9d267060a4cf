import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { exactTime, longDate, shortTime } from "@/lib/format-time.ts";
import { useBackend } from "@/lib/backend.tsx";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { Dispute, Reversal } from "../api/fetch-money.ts";
import { accessText, disputeStatus, refundStatus } from "./describe-dispute.ts";
import { dashboardLink } from "../model/dispute.ts";
import { payerName } from "./describe-payment.ts";
import { useDisputes, useRefunds, useUnfinishedRefunds } from "../queries.ts";
import { disputesViewStrings } from "../strings/disputes.ts";
import { moneyFields } from "../strings/fields.ts";
import { refundsViewStrings } from "../strings/refunds.ts";
import { DetailList } from "./detail-list.tsx";
import { UnfinishedRefundAlert } from "./unfinished-refund.tsx";

const amountOf = ({ amountPence, currency }: Reversal) => formatPence(amountPence, currency);

function ShortTime({ time }: { readonly time: number }) {
  return <span className="whitespace-nowrap">{shortTime(time, useNow())}</span>;
}

const refundColumn = dataColumns<Reversal>();
const refundColumns = refundColumn.columns([
  refundColumn.accessor((refund) => payerName(refund.payer), {
    id: "member",
    header: moneyFields.member,
  }),
  refundColumn.accessor("at", {
    header: moneyFields.refunded,
    cell: (cell) => <ShortTime time={cell.getValue()} />,
  }),
  refundColumn.accessor("reason", { header: moneyFields.reason, meta: { wideOnly: true } }),
  refundColumn.accessor("status", {
    header: moneyFields.state,
    cell: (cell) => {
      const { label, colour } = refundStatus(cell.getValue());
      return <Badge colour={colour}>{label}</Badge>;
    },
  }),
  refundColumn.accessor("amountPence", {
    header: moneyFields.amount,
    meta: { align: "right" },
    cell: (cell) => amountOf(cell.row.original),
  }),
]);

/** Refunds that wait for their end, and the latest ones. */
export function RefundsView() {
  const { data, isError, isFetching, refetch } = useRefunds();
  const { data: unfinished = [] } = useUnfinishedRefunds();
  const [open, setOpen] = useState<Reversal | null>(null);
  if (isError && !data) {
    return (
      <LoadFailed
        title={refundsViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      {unfinished.map((refund) => (
        <UnfinishedRefundAlert key={refund.requestId} refund={refund} />
      ))}
      <DataTable
        label={refundsViewStrings.title}
        columns={refundColumns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(refund) => `${payerName(refund.payer)}, ${amountOf(refund)}`}
        openId={open?.id}
        onOpen={setOpen}
        empty={
          <EmptyState title={refundsViewStrings.emptyTitle}>{refundsViewStrings.empty}</EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? refundsViewStrings.detailTitle(amountOf(open)) : ""}
      >
        {open ? (
          <DetailList
            items={[
              [moneyFields.member, payerName(open.payer)],
              [moneyFields.email, open.payer.email],
              [moneyFields.state, refundStatus(open.status).label],
              [moneyFields.refunded, exactTime(open.at)],
              [moneyFields.reason, open.reason],
              [moneyFields.invoice, open.invoiceNumber],
              [moneyFields.payment, open.paymentId],
              [refundsViewStrings.id, open.id],
            ]}
          />
        ) : null}
      </Sheet>
    </div>
  );
}

const disputeColumn = dataColumns<Dispute>();
const disputeColumns = disputeColumn.columns([
  disputeColumn.accessor((dispute) => payerName(dispute.payer), {
    id: "member",
    header: moneyFields.member,
  }),
  disputeColumn.accessor("status", {
    header: moneyFields.state,
    cell: (cell) => {
      const { label, colour } = disputeStatus(cell.getValue());
      return <Badge colour={colour}>{label}</Badge>;
    },
  }),
  disputeColumn.accessor("dueAt", {
    header: disputesViewStrings.evidenceDue,
    meta: { wideOnly: true },
    cell: (cell) => {
      const due = cell.getValue();
      return due === null ? "–" : longDate(due);
    },
  }),
  disputeColumn.accessor("amountPence", {
    header: moneyFields.amount,
    meta: { align: "right" },
    cell: (cell) => amountOf(cell.row.original),
  }),
]);

/** The latest disputes, those that wait for evidence first. */
export function DisputesView() {
  const { data, isError, isFetching, refetch } = useDisputes();
  const [open, setOpen] = useState<Dispute | null>(null);
  if (isError && !data) {
    return (
      <LoadFailed
        title={disputesViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <DataTable
        label={disputesViewStrings.title}
        columns={disputeColumns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(dispute) =>
          `${payerName(dispute.payer)}, ${amountOf(dispute)}, ${disputeStatus(dispute.status).label}`
        }
        openId={open?.id}
        onOpen={setOpen}
        empty={
          <EmptyState title={disputesViewStrings.emptyTitle}>
            {disputesViewStrings.empty}
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? disputesViewStrings.detailTitle(amountOf(open)) : ""}
      >
        {open ? <DisputeDetail dispute={open} /> : null}
      </Sheet>
    </>
  );
}

function DisputeDetail({ dispute }: { readonly dispute: Dispute }) {
  const { config } = useBackend();
  const link = dashboardLink(config, dispute.id);
  return (
    <div className="grid gap-5">
      <DetailList
        items={[
          [moneyFields.member, payerName(dispute.payer)],
          [moneyFields.email, dispute.payer.email],
          [moneyFields.state, disputeStatus(dispute.status).label],
          [disputesViewStrings.access, accessText(dispute)],
          [disputesViewStrings.opened, exactTime(dispute.at)],
          [
            disputesViewStrings.evidenceDue,
            dispute.dueAt === null ? null : exactTime(dispute.dueAt),
          ],
          [disputesViewStrings.bankReason, dispute.reason],
          [moneyFields.invoice, dispute.invoiceNumber],
          [moneyFields.payment, dispute.paymentId],
          [disputesViewStrings.id, dispute.id],
        ]}
      />
      {link === null ? (
        <p className="text-sm text-muted">{disputesViewStrings.noDashboard}</p>
      ) : (
        <Button asChild variant="secondary" className="justify-self-start">
          <a href={link} target="_blank" rel="noreferrer">
            {disputesViewStrings.sendEvidence}
          </a>
        </Button>
      )}
    </div>
  );
}
