import { useState } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Dialog, Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { toast } from "@/ui/toast.tsx";
import { revokeMembership } from "../api/actions.ts";
import type { Grant } from "../api/fetch-money.ts";
import { payerLabel, payerName } from "./describe-payment.ts";
import { useGrants, useRefreshMoney } from "../queries.ts";
import { moneyFields } from "../strings/fields.ts";
import { grantsViewStrings } from "../strings/grants.ts";
import { MoneyActionForm } from "./money-action-form.tsx";
import { DetailList } from "./detail-list.tsx";
import { GrantForm } from "./grant-form.tsx";
import { PayerCell } from "./payer-cell.tsx";
import { actionProblemText } from "./action-problem-text.ts";

const untilOf = ({ endsAt, endedAt }: Grant) => {
  if (endedAt !== null) return grantsViewStrings.endedOn(longDate(endedAt));
  return endsAt === null ? grantsViewStrings.noEndDate : longDate(endsAt);
};

const column = dataColumns<Grant>();
const columns = column.columns([
  column.accessor((grant) => payerName(grant.payer), {
    id: "member",
    header: moneyFields.member,
    cell: (cell) => <PayerCell payer={cell.row.original.payer} />,
  }),
  column.accessor("planName", { header: moneyFields.plan }),
  column.accessor((grant) => untilOf(grant), {
    id: "until",
    header: moneyFields.until,
    meta: { wideOnly: true },
  }),
  column.accessor("endedAt", {
    header: moneyFields.state,
    cell: (cell) => (
      <Badge colour={cell.getValue() === null ? "good" : "plain"}>
        {grantsViewStrings.state(cell.getValue() === null)}
      </Badge>
    ),
  }),
]);

/** Memberships without payment: who has one, giving one, ending one. */
export function GrantsView() {
  const { data, isError, isFetching, refetch } = useGrants();
  const [isGiving, setGiving] = useState(false);
  const [openId, setOpenId] = useState<string | null>(null);
  const open = data?.find(({ id }) => id === openId) ?? null;
  if (isError && !data) {
    return (
      <LoadFailed
        title={grantsViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setGiving(true)}>
        {grantsViewStrings.give}
      </Button>
      <DataTable
        label={grantsViewStrings.title}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(grant) => `${payerLabel(grant.payer)}, ${grant.planName}, ${untilOf(grant)}`}
        openId={openId}
        onOpen={({ id }) => setOpenId(id)}
        empty={
          <EmptyState title={grantsViewStrings.emptyTitle}>{grantsViewStrings.empty}</EmptyState>
        }
      />
      <Dialog open={isGiving} onOpenChange={setGiving} title={grantsViewStrings.give}>
        {isGiving ? <GrantForm onDone={() => setGiving(false)} /> : null}
      </Dialog>
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpenId(null))}
        title={open ? payerName(open.payer) : ""}
      >
        {open ? <GrantDetail key={open.id} grant={open} onDone={() => setOpenId(null)} /> : null}
      </Sheet>
    </div>
  );
}

function GrantDetail({ grant, onDone }: { readonly grant: Grant; readonly onDone: () => void }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [isEnding, setEnding] = useState(false);
  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          [moneyFields.email, grant.payer.email],
          [moneyFields.plan, grant.planName],
          [moneyFields.until, untilOf(grant)],
          [grantsViewStrings.given, longDate(grant.grantedAt)],
          [moneyFields.reason, grant.reason],
        ]}
      />
      {grant.endedAt === null && !isEnding ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setEnding(true)}>
          {grantsViewStrings.revoke}
        </Button>
      ) : null}
      {isEnding ? (
        <MoneyActionForm
          confirmLabel={grantsViewStrings.revokeConfirm}
          danger
          act={async (reason) => {
            const problem = await revokeMembership(client, grant.id, reason);
            if (problem !== null) return actionProblemText(problem);
            toast.good(grantsViewStrings.revoked(payerName(grant.payer)));
            refresh();
            onDone();
            return null;
          }}
        >
          <p className="text-sm text-muted">
            {grantsViewStrings.revokeNote(payerName(grant.payer))}
          </p>
        </MoneyActionForm>
      ) : null}
    </div>
  );
}
