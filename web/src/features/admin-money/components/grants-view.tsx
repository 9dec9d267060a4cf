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
import { revokeMembership } from "../api/acts.ts";
import type { Grant } from "../api/fetch-money.ts";
import { payerLabel, payerName } from "../model/payment.ts";
import { useGrants, useRefreshMoney } from "../queries.ts";
import { MoneyActForm } from "./money-act-form.tsx";
import { DetailList } from "./detail-list.tsx";
import { GrantForm } from "./grant-form.tsx";
import { PayerCell } from "./payer-cell.tsx";

const untilOf = ({ endsAt, endedAt }: Grant) => {
  if (endedAt !== null) return `Ended ${longDate(endedAt)}`;
  return endsAt === null ? "No end date" : longDate(endsAt);
};

const column = dataColumns<Grant>();
const columns = column.columns([
  column.accessor((grant) => payerName(grant.payer), {
    id: "member",
    header: "Member",
    cell: (cell) => <PayerCell payer={cell.row.original.payer} />,
  }),
  column.accessor("planName", { header: "Plan" }),
  column.accessor((grant) => untilOf(grant), {
    id: "until",
    header: "Until",
    meta: { wideOnly: true },
  }),
  column.accessor("endedAt", {
    header: "State",
    cell: (cell) => (
      <Badge colour={cell.getValue() === null ? "good" : "plain"}>
        {cell.getValue() === null ? "Running" : "Ended"}
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
        title="We couldn't load the memberships"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setGiving(true)}>
        Give a membership
      </Button>
      <DataTable
        label="Complimentary memberships"
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(grant) => `${payerLabel(grant.payer)}, ${grant.planName}, ${untilOf(grant)}`}
        openId={openId}
        onOpen={({ id }) => setOpenId(id)}
        empty={
          <EmptyState title="No complimentary memberships">
            Give someone a plan without payment. It counts neither as paying nor as revenue.
          </EmptyState>
        }
      />
      <Dialog open={isGiving} onOpenChange={setGiving} title="Give a membership">
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
          ["E-mail", grant.payer.email],
          ["Plan", grant.planName],
          ["Until", untilOf(grant)],
          ["Given", longDate(grant.grantedAt)],
          ["Reason", grant.reason],
        ]}
      />
      {grant.endedAt === null && !isEnding ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setEnding(true)}>
          Revoke
        </Button>
      ) : null}
      {isEnding ? (
        <MoneyActForm
          confirmLabel="Revoke membership"
          danger
          act={async (reason) => {
            const problem = await revokeMembership(client, grant.id, reason);
            if (problem !== null) return problem;
            toast.good(`${payerName(grant.payer)}'s complimentary membership has ended.`);
            refresh();
            onDone();
            return null;
          }}
        >
          <p className="text-sm text-muted">
            {payerName(grant.payer)} loses access at once, unless they pay for a plan as well.
          </p>
        </MoneyActForm>
      ) : null}
    </div>
  );
}
