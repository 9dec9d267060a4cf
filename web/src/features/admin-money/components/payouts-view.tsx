import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { saveFile } from "@/lib/save-file.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { toast } from "@/ui/toast.tsx";
import { markPayout } from "../api/actions.ts";
import type { PayoutDue } from "../api/fetch-money.ts";
import { csvPounds, toCsv } from "@/lib/csv.ts";
import { usePayoutsDue, useRefreshMoney } from "../queries.ts";
import { moneyFields } from "../strings/fields.ts";
import { payoutDone, payoutsViewStrings } from "../strings/payouts.ts";
import { DetailList } from "./detail-list.tsx";
import { MoneyActionForm } from "./money-action-form.tsx";
import { actionProblemText } from "./action-problem-text.ts";

const nameOf = ({ name, email }: PayoutDue) => name || email;
const isDue = (due: PayoutDue) => due.payable_pence >= due.least_pence;

const column = dataColumns<PayoutDue>();
const columns = column.columns([
  column.accessor(nameOf, { id: "member", header: moneyFields.member }),
  column.accessor("pending_pence", {
    header: payoutsViewStrings.pending,
    meta: { align: "right", wideOnly: true },
    cell: (cell) => formatPence(cell.getValue()),
  }),
  column.accessor("paid_pence", {
    header: payoutsViewStrings.paidBefore,
    meta: { align: "right", wideOnly: true },
    cell: (cell) => formatPence(cell.getValue()),
  }),
  column.accessor("payable_pence", {
    header: payoutsViewStrings.payable,
    meta: { align: "right" },
    cell: (cell) => formatPence(cell.getValue()),
  }),
]);

function saveForBank(due: readonly PayoutDue[]): void {
  const lines = due.map((one) => [nameOf(one), one.email, csvPounds(one.payable_pence)]);
  // The mark tells spreadsheets that the text is UTF-8.
  const text = ["\uFEFF", toCsv(payoutsViewStrings.headings, lines)];
  saveFile("affiliate-payouts.csv", new Blob(text, { type: "text/csv;charset=utf-8" }));
}

/** What affiliates are owed, and marking a transfer as made. */
export function PayoutsView() {
  const { data, isError, isFetching, refetch } = usePayoutsDue();
  const [open, setOpen] = useState<PayoutDue | null>(null);
  if (isError && !data) {
    return (
      <LoadFailed
        title={payoutsViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  const due = data?.filter(isDue) ?? [];
  return (
    <div className="grid grid-cols-1 gap-4">
      {due.length === 0 ? null : (
        <Button variant="secondary" className="justify-self-start" onClick={() => saveForBank(due)}>
          {payoutsViewStrings.export}
        </Button>
      )}
      <DataTable
        label={payoutsViewStrings.title}
        columns={columns}
        rows={data}
        rowId={({ affiliate_id: id }) => id}
        rowLabel={(one) => `${nameOf(one)}, ${formatPence(one.payable_pence)}`}
        openId={open?.affiliate_id}
        onOpen={setOpen}
        empty={
          <EmptyState title={payoutsViewStrings.emptyTitle}>{payoutsViewStrings.empty}</EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpen(null))}
        title={open ? nameOf(open) : ""}
      >
        {open ? (
          <PayoutDetail key={open.affiliate_id} due={open} onDone={() => setOpen(null)} />
        ) : null}
      </Sheet>
    </div>
  );
}

function PayoutDetail({ due, onDone }: { readonly due: PayoutDue; readonly onDone: () => void }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const amount = formatPence(due.payable_pence);

  async function act(reference: string): Promise<string | null> {
    const problem = await markPayout(client, {
      affiliateId: due.affiliate_id,
      amountPence: due.payable_pence,
      reference,
    });
    refresh();
    if (problem !== null) return actionProblemText(problem);
    toast.good(payoutDone(amount, nameOf(due)));
    onDone();
    return null;
  }

  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          [moneyFields.email, due.email],
          [payoutsViewStrings.payable, amount],
          [payoutsViewStrings.pending, formatPence(due.pending_pence)],
          [payoutsViewStrings.paidBefore, formatPence(due.paid_pence)],
        ]}
      />
      {isDue(due) ? (
        <MoneyActionForm
          confirmLabel={payoutsViewStrings.confirm(amount)}
          asksCode
          reasonField={{
            label: payoutsViewStrings.reference,
            hint: payoutsViewStrings.referenceHint,
            missing: payoutsViewStrings.referenceMissing,
            maxLength: 140,
          }}
          act={act}
        >
          <Alert tone="info">{payoutsViewStrings.transferFirst(amount)}</Alert>
        </MoneyActionForm>
      ) : (
        <p className="text-sm text-muted">
          {payoutsViewStrings.beginAt(formatPence(due.least_pence))}
        </p>
      )}
    </div>
  );
}
