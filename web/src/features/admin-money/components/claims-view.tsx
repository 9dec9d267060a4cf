import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames } from "@/domain/guarantee-terms.ts";
import { useBackend } from "@/lib/backend.tsx";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { Alert } from "@/ui/alert.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { toast } from "@/ui/toast.tsx";
import {
  decideClaim,
  requestClaimSettlement,
  type WaitingClaim,
  type Settled,
} from "../api/claims.ts";
import { useClaims, useRefreshMoney } from "../queries.ts";
import {
  claimDecisionStrings,
  claimSettled,
  claimSettlementStrings,
  claimStateNames,
  claimsViewStrings,
  leftToSettle,
  settlementUnclear,
  settling,
} from "../strings/claims.ts";
import { moneyFields } from "../strings/fields.ts";
import { ClaimDocument } from "./claim-document.tsx";
import { DetailList } from "./detail-list.tsx";
import { MoneyActionForm } from "./money-action-form.tsx";
import { actionProblemText, actionRefusalText } from "./action-problem-text.ts";

const nameOf = ({ first_name: first, last_name: last, email }: WaitingClaim) =>
  [first, last].filter(Boolean).join(" ") || email;

const column = dataColumns<WaitingClaim>();
const columns = column.columns([
  column.accessor(nameOf, { id: "member", header: moneyFields.member }),
  column.accessor(({ state }) => claimStateNames[state], {
    id: "state",
    header: claimsViewStrings.waitsAs,
  }),
  column.accessor(({ filed_at: at }) => longDate(Date.parse(at)), {
    id: "filed",
    header: claimsViewStrings.made,
    meta: { wideOnly: true },
  }),
  column.accessor("monthly_pence", {
    header: claimsViewStrings.income,
    meta: { align: "right" },
    cell: (cell) => formatPence(cell.getValue()),
  }),
]);

/** Claims under the guarantee that wait for a decision, and granted ones that are not settled. */
export function ClaimsView() {
  const { data, isError, isFetching, refetch } = useClaims();
  const [openId, setOpenId] = useState<string | null>(null);
  const open = data?.find(({ id }) => id === openId);
  if (isError && !data) {
    return (
      <LoadFailed
        title={claimsViewStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <DataTable
        label={claimsViewStrings.title}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(claim) => `${nameOf(claim)}, ${claimStateNames[claim.state]}`}
        openId={openId ?? undefined}
        onOpen={({ id }) => setOpenId(id)}
        empty={
          <EmptyState title={claimsViewStrings.emptyTitle}>{claimsViewStrings.empty}</EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== undefined}
        onOpenChange={(isOpen) => (isOpen ? undefined : setOpenId(null))}
        title={open ? nameOf(open) : ""}
      >
        {open ? <ClaimDetail key={`${open.id} ${open.state}`} claim={open} /> : null}
      </Sheet>
    </>
  );
}

function ClaimDetail({ claim }: { readonly claim: WaitingClaim }) {
  const { baseline } = claim;
  return (
    <div className="grid gap-6">
      <DetailList
        items={[
          [moneyFields.email, claim.email],
          [claimsViewStrings.started, longDate(Date.parse(baseline.started_at))],
          [
            claimsViewStrings.startIncome,
            claimsViewStrings.startIncomeValue(
              formatPence(baseline.monthly_pence),
              baseline.source,
            ),
          ],
          [
            claimsViewStrings.checkIns,
            baseline.check_ins
              .map(({ month, monthly_pence: pence }) => `${month}: ${formatPence(pence)}`)
              .join(", "),
          ],
          [
            claimsViewStrings.claimed,
            claimsViewStrings.claimedValue(formatPence(claim.monthly_pence)),
          ],
          [claimsViewStrings.statement, claim.statement],
          [claimsViewStrings.decision, claim.reason],
          [claimsViewStrings.appeal, claim.appeal],
        ]}
      />
      {baseline.has_document ? <ClaimDocument claimId={claim.id} holder={nameOf(claim)} /> : null}
      <ul aria-label={claimsViewStrings.terms} className="grid gap-1 text-sm">
        {claim.lines.map(({ line, needed, held, met }) => {
          const shown = line === "income" ? formatPence : formatCount;
          return (
            <li key={line} className="flex justify-between gap-3">
              <span>{guaranteeLineNames[line]}</span>
              <span className="tabular text-muted">
                {claimsViewStrings.termState(shown(held), shown(needed), met)}
              </span>
            </li>
          );
        })}
      </ul>
      {claim.state === "granted" ? <Settlement claim={claim} /> : <Decision claim={claim} />}
    </div>
  );
}

function Decision({ claim }: { readonly claim: WaitingClaim }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();
  const [isGranted, setGranted] = useState<boolean | null>(null);

  const [isSettling, setSettling] = useState(false);

  async function act(reason: string): Promise<string | null> {
    if (isGranted === null) return claimDecisionStrings.undecided;
    const problem = await decideClaim(client, { claimId: claim.id, isGranted, reason });
    if (problem === null && isGranted) await settle();
    refresh();
    if (problem === null && !isGranted) toast.good(claimDecisionStrings.declined);
    return actionProblemText(problem);
  }

  // In the same act, while the code is fresh. What is left stays in the list, with a button to try again.
  async function settle(): Promise<void> {
    setSettling(true);
    const settled = await requestClaimSettlement(client, claim.id).catch(() => null);
    setSettling(false);
    if (settled?.kind === "done") toast.good(claimSettled(nameOf(claim)));
    else toast.danger(settled === null ? settlementUnclear : unsettledText(settled));
  }

  return (
    <MoneyActionForm
      confirmLabel={claimDecisionStrings.confirm(isGranted)}
      danger={isGranted === false}
      disabled={isGranted === null}
      asksCode
      reasonField={{
        label: moneyFields.reason,
        hint: claimDecisionStrings.reasonHint,
        missing: claimDecisionStrings.reasonMissing,
        maxLength: 500,
      }}
      act={act}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">{claimDecisionStrings.choose}</legend>
        {([true, false] as const).map((choice) => (
          <label key={String(choice)} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="decision"
              checked={isGranted === choice}
              onChange={() => setGranted(choice)}
            />
            {choice ? claimDecisionStrings.grant : claimDecisionStrings.decline}
          </label>
        ))}
      </fieldset>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isSettling ? settling : null}
      </p>
    </MoneyActionForm>
  );
}

/** What is left of a settlement, or why it was refused. */
function unsettledText(settled: Exclude<Settled, { readonly kind: "done" }>): string {
  if (settled.kind === "left") return leftToSettle(settled.payments, settled.renews);
  return actionRefusalText(settled) || settlementUnclear;
}

function Settlement({ claim }: { readonly claim: WaitingClaim }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();

  async function act(): Promise<string | null> {
    const settled = await requestClaimSettlement(client, claim.id);
    refresh();
    if (settled.kind !== "done") return unsettledText(settled);
    toast.good(claimSettled(nameOf(claim)));
    return null;
  }

  return (
    <MoneyActionForm
      confirmLabel={claimSettlementStrings.retry}
      danger
      asksCode
      reasonField={null}
      act={act}
    >
      <Alert tone="info">{leftToSettle(claim.to_refund, claim.renews)}</Alert>
      <p className="text-sm text-muted">{claimSettlementStrings.note}</p>
    </MoneyActionForm>
  );
}
