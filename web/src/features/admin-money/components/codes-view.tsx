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
import { describeCode } from "./describe-code.ts";
import { useCodes, useRefreshMoney } from "../queries.ts";
import { codesViewStrings, planNames } from "../strings/codes.ts";
import { moneyFields } from "../strings/fields.ts";
import { MoneyActionForm } from "./money-action-form.tsx";
import { CodeForm } from "./code-form.tsx";
import { DetailList } from "./detail-list.tsx";
import { actionProblemText } from "./action-problem-text.ts";

const usedOf = ({ redemptions, maxRedemptions }: Code) =>
  maxRedemptions === null
    ? String(redemptions)
    : codesViewStrings.usedOf(redemptions, maxRedemptions);

const column = dataColumns<Code>();
const columns = column.columns([
  column.accessor("code", {
    header: codesViewStrings.code,
    cell: (cell) => <span className="font-medium">{cell.getValue()}</span>,
  }),
  column.accessor((code) => describeCode(code), { id: "gives", header: codesViewStrings.gives }),
  column.accessor("isActive", {
    header: moneyFields.state,
    meta: { wideOnly: true },
    cell: (cell) => (
      <Badge colour={cell.getValue() ? "good" : "plain"}>
        {codesViewStrings.state(cell.getValue())}
      </Badge>
    ),
  }),
  column.accessor((code) => usedOf(code), {
    id: "used",
    header: codesViewStrings.used,
    meta: { align: "right" },
  }),
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
        title={codesViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setMaking(true)}>
        {codesViewStrings.make}
      </Button>
      <DataTable
        label={codesViewStrings.title}
        columns={columns}
        rows={data}
        rowId={({ code, createdAt }) => `${code} ${createdAt}`}
        rowLabel={(code) => codesViewStrings.rowLabel(code.code, describeCode(code), code.isActive)}
        openId={openCode}
        onOpen={({ code, createdAt }) => setOpenCode(`${code} ${createdAt}`)}
        empty={
          <EmptyState title={codesViewStrings.emptyTitle}>{codesViewStrings.empty}</EmptyState>
        }
      />
      <Dialog open={isMaking} onOpenChange={setMaking} title={codesViewStrings.make}>
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
          [codesViewStrings.gives, describeCode(code)],
          [moneyFields.state, codesViewStrings.state(code.isActive)],
          [
            moneyFields.plan,
            code.planId === null
              ? codesViewStrings.bothPlans
              : (planNames[code.planId] ?? code.planId),
          ],
          [
            codesViewStrings.audience,
            code.newMembersOnly ? codesViewStrings.newMembers : codesViewStrings.everyone,
          ],
          [codesViewStrings.used, usedOf(code)],
          [
            moneyFields.until,
            code.expiresAt === null ? codesViewStrings.noEndDate : longDate(code.expiresAt),
          ],
          [codesViewStrings.made, longDate(code.createdAt)],
        ]}
      />
      {code.isActive && !isEnding ? (
        <Button variant="secondary" className="justify-self-start" onClick={() => setEnding(true)}>
          {codesViewStrings.turnOff}
        </Button>
      ) : null}
      {isEnding ? (
        <MoneyActionForm
          confirmLabel={codesViewStrings.turnOffConfirm(code.code)}
          danger
          act={async (reason) => {
            const problem = await deactivateCode(client, code, reason);
            if (problem !== null) return actionProblemText(problem);
            toast.good(codesViewStrings.turnedOff(code.code));
            refresh();
            onDone();
            return null;
          }}
        >
          <p className="text-sm text-muted">{codesViewStrings.turnOffNote}</p>
        </MoneyActionForm>
      ) : null}
    </div>
  );
}
