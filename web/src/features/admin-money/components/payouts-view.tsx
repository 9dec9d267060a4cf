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
import { markPayout } from "../api/acts.ts";
import type { PayoutDue } from "../api/fetch-money.ts";
import { csvPounds, toCsv } from "@/lib/csv.ts";
import { usePayoutsDue, useRefreshMoney } from "../queries.ts";
import { payoutDone } from "../strings.ts";
import { DetailList } from "./detail-list.tsx";
import { MoneyActForm } from "./money-act-form.tsx";

const nameOf = ({ name, email }: PayoutDue) => name || email;
const isDue = (due: PayoutDue) => due.payable_pence >= due.least_pence;

const column = dataColumns<PayoutDue>();
const columns = column.columns([
  column.accessor(nameOf, { id: "member", header: "Member" }),
  column.accessor("pending_pence", {
    header: "Pending",
    meta: { align: "right", wideOnly: true },
    cell: (cell) => formatPence(cell.getValue()),
  }),
  column.accessor("paid_pence", {
    header: "Paid before",
    meta: { align: "right", wideOnly: true },
    cell: (cell) => formatPence(cell.getValue()),
  }),
  column.accessor("payable_pence", {
    header: "Payable",
    meta: { align: "right" },
    cell: (cell) => formatPence(cell.getValue()),
  }),
]);

function saveForBank(due: readonly PayoutDue[]): void {
  const lines = due.map((one) => [nameOf(one), one.email, csvPounds(one.payable_pence)]);
  // The mark tells spreadsheets that the text is UTF-8.
  const text = ["\uFEFF", toCsv(["Name", "E-mail", "Amount in pounds"], lines)];
  saveFile("affiliate-payouts.csv", new Blob(text, { type: "text/csv;charset=utf-8" }));
}

/** What affiliates are owed, and marking a transfer as made. */
export function PayoutsView() {
  const { data, isError, isFetching, refetch } = usePayoutsDue();
  const [open, setOpen] = useState<PayoutDue | null>(null);
  if (isError && !data) {
    return (
      <LoadFailed
        title="We couldn't load the payouts"
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
          Export for the bank
        </Button>
      )}
      <DataTable
        label="Payouts"
        columns={columns}
        rows={data}
        rowId={({ affiliate_id: id }) => id}
        rowLabel={(one) => `${nameOf(one)}, ${formatPence(one.payable_pence)}`}
        openId={open?.affiliate_id}
        onOpen={setOpen}
        empty={
          <EmptyState title="Nothing owed">
            Commissions of affiliates appear here with the first payment of someone they brought.
          </EmptyState>
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
    if (problem !== null) return problem;
    toast.good(payoutDone(amount, nameOf(due)));
    onDone();
    return null;
  }

  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          ["E-mail", due.email],
          ["Payable", amount],
          ["Pending", formatPence(due.pending_pence)],
          ["Paid before", formatPence(due.paid_pence)],
        ]}
      />
      {isDue(due) ? (
        <MoneyActForm
          confirmLabel={`Mark ${amount} as paid`}
          asksCode
          reasonField={{
            label: "Reference of the transfer",
            hint: "As your bank shows it. The member reads it.",
            missing: "Enter the reference of the transfer.",
            maxLength: 140,
          }}
          act={act}
        >
          <Alert tone="info">Transfer exactly {amount} first. Marking it can't be undone.</Alert>
        </MoneyActForm>
      ) : (
        <p className="text-sm text-muted">Payouts begin at {formatPence(due.least_pence)}.</p>
      )}
    </div>
  );
}
