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
import { decideClaim, requestClaimSettlement, type WaitingClaim } from "../api/claims.ts";
import { useClaims, useRefreshMoney } from "../queries.ts";
import { claimSettled, leftToSettle, settlementUnclear, settling } from "../strings.ts";
import { ClaimDocument } from "./claim-document.tsx";
import { DetailList } from "./detail-list.tsx";
import { MoneyActForm } from "./money-act-form.tsx";

const nameOf = ({ first_name: first, last_name: last, email }: WaitingClaim) =>
  [first, last].filter(Boolean).join(" ") || email;

const states = {
  filed: "Claim",
  appealed: "Appeal",
  granted: "Granted, not settled",
} as const;

const column = dataColumns<WaitingClaim>();
const columns = column.columns([
  column.accessor(nameOf, { id: "member", header: "Member" }),
  column.accessor(({ state }) => states[state], { id: "state", header: "Waits as" }),
  column.accessor(({ filed_at: at }) => longDate(Date.parse(at)), {
    id: "filed",
    header: "Made",
    meta: { wideOnly: true },
  }),
  column.accessor("monthly_pence", {
    header: "Income a month",
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
        title="We couldn't load the claims"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <>
      <DataTable
        label="Claims"
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={(claim) => `${nameOf(claim)}, ${states[claim.state]}`}
        openId={openId ?? undefined}
        onOpen={({ id }) => setOpenId(id)}
        empty={
          <EmptyState title="No claims">
            Claims that the rules let through appear here, oldest first.
          </EmptyState>
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
          ["E-mail", claim.email],
          ["Started", longDate(Date.parse(baseline.started_at))],
          ["At", `${formatPence(baseline.monthly_pence)} a month: ${baseline.source}`],
          [
            "Check-ins",
            baseline.check_ins
              .map(({ month, monthly_pence: pence }) => `${month}: ${formatPence(pence)}`)
              .join(", "),
          ],
          ["Claims", `${formatPence(claim.monthly_pence)} a month`],
          ["Says", claim.statement],
          ["Decision", claim.reason],
          ["Appeal", claim.appeal],
        ]}
      />
      {baseline.has_document ? <ClaimDocument claimId={claim.id} holder={nameOf(claim)} /> : null}
      <ul aria-label="Lines of the terms" className="grid gap-1 text-sm">
        {claim.lines.map(({ line, needed, held, met }) => {
          const shown = line === "income" ? formatPence : formatCount;
          return (
            <li key={line} className="flex justify-between gap-3">
              <span>{guaranteeLineNames[line]}</span>
              <span className="tabular text-muted">
                {shown(held)} of {shown(needed)}, {met ? "met" : "not met"}
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
    if (isGranted === null) return "Choose first whether to grant or decline.";
    const problem = await decideClaim(client, { claimId: claim.id, isGranted, reason });
    if (problem === null && isGranted) await settle();
    refresh();
    if (problem === null && !isGranted) toast.good("Claim declined.");
    return problem;
  }

  // In the same act, while the code is fresh. What is left stays in the list, with a button to try again.
  async function settle(): Promise<void> {
    setSettling(true);
    const settled = await requestClaimSettlement(client, claim.id).catch(() => null);
    setSettling(false);
    if (settled?.isDone) toast.good(claimSettled(nameOf(claim)));
    else toast.danger(settled?.problem || settlementUnclear);
  }

  return (
    <MoneyActForm
      confirmLabel={
        isGranted === null ? "Decide" : isGranted ? "Grant this claim" : "Decline this claim"
      }
      danger={isGranted === false}
      disabled={isGranted === null}
      asksCode
      reasonField={{
        label: "Reason",
        hint: "The member reads it.",
        missing: "Say why. The member reads it.",
        maxLength: 500,
      }}
      act={act}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Your decision</legend>
        {([true, false] as const).map((choice) => (
          <label key={String(choice)} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name="decision"
              checked={isGranted === choice}
              onChange={() => setGranted(choice)}
            />
            {choice ? "Grant: membership without charge, and every payment back now" : "Decline"}
          </label>
        ))}
      </fieldset>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isSettling ? settling : null}
      </p>
    </MoneyActForm>
  );
}

function Settlement({ claim }: { readonly claim: WaitingClaim }) {
  const { client } = useBackend();
  const refresh = useRefreshMoney();

  async function act(): Promise<string | null> {
    const settled = await requestClaimSettlement(client, claim.id);
    refresh();
    if (!settled.isDone) return settled.problem || settlementUnclear;
    toast.good(claimSettled(nameOf(claim)));
    return null;
  }

  return (
    <MoneyActForm confirmLabel="Try again now" danger asksCode reasonField={null} act={act}>
      <Alert tone="info">{leftToSettle(claim.to_refund, claim.renews)}</Alert>
      <p className="text-sm text-muted">
        The renewal stops, and each payment goes back to its card once. What the provider refuses
        stays here.
      </p>
    </MoneyActForm>
  );
}
