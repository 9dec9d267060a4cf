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
import { deactivateCode, type Code } from "../api/codes.ts";
import { describeCode, planNames } from "../model/code.ts";
import { useCodes, useRefreshMoney } from "../queries.ts";
import { MoneyActForm } from "./money-act-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { DetailList } from "./detail-list.tsx";

const usedOf = ({ redemptions, maxRedemptions }: Code) =>
  maxRedemptions === null ? String(redemptions) : `${redemptions} of ${maxRedemptions}`;

const column = dataColumns<Code>();
const columns = column.columns([
  column.accessor("code", {
    header: "Code",
    cell: (cell) => <span className="font-medium">{cell.getValue()}</span>,
  }),
  column.accessor((code) => describeCode(code), { id: "gives", header: "Gives" }),
  column.accessor("isActive", {
    header: "State",
    meta: { wideOnly: true },
    cell: (cell) => (
      <Badge colour={cell.getValue() ? "good" : "plain"}>{cell.getValue() ? "On" : "Off"}</Badge>
    ),
  }),
  column.accessor((code) => usedOf(code), { id: "used", header: "Used", meta: { align: "right" } }),
]);

/** Coupons and trial codes: what there is, a new one, turning one off. */
export function CodesView() {
  const { data, isError, isFetching, refetch } = useCodes();
  const [isMaking, setMaking] = useState(false);
  const [openCode, setOpenCode] = useState<string | null>(null);
  const open = data?.find(({ code, createdAt }) => `${code} ${createdAt}` === openCode) ?? null;
  if (isError && !data) {
    return (
      <LoadFailed
        title="We couldn't load the codes"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setMaking(true)}>
        New code
      </Button>
      <DataTable
        label="Codes"
        columns={columns}
        rows={data}
        rowId={({ code, createdAt }) => `${code} ${createdAt}`}
        rowLabel={(code) => `${code.code}, ${describeCode(code)}, ${code.isActive ? "on" : "off"}`}
        openId={openCode}
        onOpen={({ code, createdAt }) => setOpenCode(`${code} ${createdAt}`)}
        empty={
          <EmptyState title="No codes yet">
            Make a code for a discount or free days. Members enter it at the checkout.
          </EmptyState>
        }
      />
      <Dialog open={isMaking} onOpenChange={setMaking} title="New code">
        {isMaking ? <CodeForm onDone={() => setMaking(false)} /> : null}
      </Dialog>
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpenCode(null))}
        title={open?.code ?? ""}
      >
        {open ? <CodeDetail key={open.code} code={open} onDone={() => setOpenCode(null)} /> : null}
      </Sheet>
    </div>
  );
}

function CodeDetail({ code, onDone }: { readonly code: Code; readonly onDone: () => void }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [isEnding, setEnding] = useState(false);
  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          ["Gives", describeCode(code)],
          ["State", code.isActive ? "On" : "Off"],
          ["Plan", code.planId === null ? "Both plans" : (planNames[code.planId] ?? code.planId)],
          ["For", code.newMembersOnly ? "New members only" : "Everyone"],
          ["Used", usedOf(code)],
          ["Until", code.expiresAt === null ? "No end date" : longDate(code.expiresAt)],
          ["Made", longDate(code.createdAt)],
        ]}
      />
      {code.isActive && !isEnding ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setEnding(true)}>
          Turn off
        </Button>
      ) : null}
      {isEnding ? (
        <MoneyActForm
          confirmLabel={`Turn off ${code.code}`}
          danger
          act={async (reason) => {
            const problem = await deactivateCode(client, code, reason);
            if (problem !== null) return problem;
            toast.good(`${code.code} is off.`);
            refresh();
            onDone();
            return null;
          }}
        >
          <p className="text-sm text-muted">
            No one can use this code any more. Members who have used it keep what it gave them.
          </p>
        </MoneyActForm>
      ) : null}
    </div>
  );
}
