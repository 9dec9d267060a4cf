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
import { accessText, dashboardLink, disputeStatus, refundStatus } from "../model/dispute.ts";
import { payerName } from "../model/payment.ts";
import { useDisputes, useRefunds, useUnfinishedRefunds } from "../queries.ts";
import { DetailList } from "./detail-list.tsx";
import { UnfinishedRefundAlert } from "./unfinished-refund.tsx";

const amountOf = ({ amountPence, currency }: Reversal) => formatPence(amountPence, currency);

function ShortTime({ time }: { readonly time: number }) {
  return <span className="whitespace-nowrap">{shortTime(time, useNow())}</span>;
}

const refundColumn = dataColumns<Reversal>();
const refundColumns = refundColumn.columns([
  refundColumn.accessor((refund) => payerName(refund.payer), { id: "member", header: "Member" }),
  refundColumn.accessor("at", {
    header: "Refunded",
    cell: (cell) => <ShortTime time={cell.getValue()} />,
  }),
  refundColumn.accessor("reason", { header: "Reason", meta: { wideOnly: true } }),
  refundColumn.accessor("amountPence", {
    header: "Amount",
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
        title="We couldn't load the refunds"
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
        label="Refunds"
        columns={refundColumns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(refund) => `${payerName(refund.payer)}, ${amountOf(refund)}`}
        openId={open?.id}
        onOpen={setOpen}
        empty={
          <EmptyState title="No refunds yet">
            Open a payment to refund it in part or whole.
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? `${amountOf(open)} refund` : ""}
      >
        {open ? (
          <DetailList
            items={[
              ["Member", payerName(open.payer)],
              ["E-mail", open.payer.email],
              ["State", refundStatus(open.status)],
              ["Refunded", exactTime(open.at)],
              ["Reason", open.reason],
              ["Invoice", open.invoiceNumber],
              ["Payment", open.paymentId],
              ["Refund", open.id],
            ]}
          />
        ) : null}
      </Sheet>
    </div>
  );
}

const disputeColumn = dataColumns<Dispute>();
const disputeColumns = disputeColumn.columns([
  disputeColumn.accessor((dispute) => payerName(dispute.payer), { id: "member", header: "Member" }),
  disputeColumn.accessor("status", {
    header: "State",
    cell: (cell) => {
      const { label, colour } = disputeStatus(cell.getValue());
      return <Badge colour={colour}>{label}</Badge>;
    },
  }),
  disputeColumn.accessor("dueAt", {
    header: "Evidence due",
    meta: { wideOnly: true },
    cell: (cell) => {
      const due = cell.getValue();
      return due === null ? "–" : longDate(due);
    },
  }),
  disputeColumn.accessor("amountPence", {
    header: "Amount",
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
        title="We couldn't load the disputes"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <DataTable
        label="Disputes"
        columns={disputeColumns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(dispute) =>
          `${payerName(dispute.payer)}, ${amountOf(dispute)}, ${disputeStatus(dispute.status).label}`
        }
        openId={open?.id}
        onOpen={setOpen}
        empty={
          <EmptyState title="No disputes">
            When a cardholder's bank takes a payment back, it appears here with what to do.
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? `${amountOf(open)} dispute` : ""}
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
          ["Member", payerName(dispute.payer)],
          ["E-mail", dispute.payer.email],
          ["State", disputeStatus(dispute.status).label],
          ["Access", accessText(dispute)],
          ["Opened", exactTime(dispute.at)],
          ["Evidence due", dispute.dueAt === null ? null : exactTime(dispute.dueAt)],
          ["Bank's reason", dispute.reason],
          ["Invoice", dispute.invoiceNumber],
          ["Payment", dispute.paymentId],
          ["Dispute", dispute.id],
        ]}
      />
      {link === null ? (
        <p className="text-sm text-muted">
          Evidence is sent in the payment provider's dashboard. The sandbox has none.
        </p>
      ) : (
        <Button asChild variant="secondary" className="justify-self-start">
          <a href={link} target="_blank" rel="noreferrer">
            Send evidence at the provider
          </a>
        </Button>
      )}
    </div>
  );
}
