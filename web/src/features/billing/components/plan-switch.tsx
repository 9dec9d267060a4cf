import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { refusalText } from "@/lib/refusal.ts";
import {
  cancelPlanChange,
  requestPlanChange,
  requestPlanChangePreview,
} from "../api/change-plan.ts";
import { loadStripeLibrary } from "../api/load-stripe-library.ts";
import { formatEpochDay } from "./format-subscription.ts";
import type { PlanChangePreviewResponse } from "../model/plan-change-response.ts";
import { previewReduction, switchPlan, type PlanChangeOutcome } from "../model/plan-change.ts";
import type { Plan } from "../model/plan.ts";
import { billingStrings } from "../strings/payment.ts";
import { formatInterval, planSwitchStrings } from "../strings/plans.ts";

export interface PlanSwitchProps {
  readonly to: Plan;
  readonly current: Plan;
  /** Reads the subscription again, whatever came of the switch. */
  readonly onSettled: (outcome: PlanChangeOutcome) => Promise<void>;
  readonly onCancel: () => void;
}

/**
 * The exact amounts of a change of plan, and the button that makes it. It stands in the page and not in a dialog, which
 * would keep the focus from the bank's question.
 */
export function PlanSwitch({ to, current, onSettled, onCancel }: PlanSwitchProps) {
  const { client, config } = useBackend();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<PlanChangeOutcome | null>(null);
  const isSubmitting = useRef(false);
  const quote = useQuery({
    queryKey: ["plan-change-preview", to.priceId, current.priceId],
    queryFn: () => requestPlanChangePreview(client, to.priceId),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const preview = quote.data?.kind === "previewed" ? quote.data.preview : null;

  async function confirm(confirmed: PlanChangePreviewResponse) {
    if (isSubmitting.current) return;
    isSubmitting.current = true;
    setBusy(true);
    setOutcome(null);
    const result = await switchPlan({
      requestPlanChange: () => requestPlanChange(client, confirmed.quoteId),
      confirmCardPayment: async (clientSecret) => {
        const { stripePublishableKey: key, stripeScriptUrl: address } = config;
        const stripe = await loadStripeLibrary(key, address);
        const answer = await stripe?.confirmCardPayment(clientSecret);
        if (answer === undefined) return billingStrings.libraryMissing;
        return answer.error ? (answer.error.message ?? "") : null;
      },
      cancelPlanChange: (changeId) => cancelPlanChange(client, changeId),
    });
    await onSettled(result);
    setOutcome(result);
    isSubmitting.current = false;
    setBusy(false);
    // After an unclear answer the quote stays: repeated with it, the same switch is paid once.
    if (result.kind === "refused") void quote.refetch();
  }

  async function checkAgain() {
    setBusy(true);
    await onSettled({ kind: "unclear" });
    setBusy(false);
  }

  const refusal =
    quote.data?.kind === "refused" ? quote.data.message || billingStrings.planPreviewFailed : null;
  return (
    <section
      aria-label={planSwitchStrings.switchTo(to.name)}
      className="grid gap-5 rounded-control border border-line bg-sunken p-4"
    >
      <h3 className="font-medium">{planSwitchStrings.switchTo(to.name)}</h3>
      {quote.isPending ? (
        <Loading label={planSwitchStrings.loading} className="grid gap-2">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-5 w-1/2" />
        </Loading>
      ) : null}
      {refusal === null ? null : <Alert tone="danger">{refusal}</Alert>}
      {preview ? <PreviewAmounts preview={preview} to={to} current={current} /> : null}
      {outcome?.kind === "refused" ? (
        <Alert tone="danger">{refusalText(outcome, billingStrings)}</Alert>
      ) : null}
      {outcome?.kind === "unclear" ? (
        <Alert
          tone="warn"
          title={billingStrings.planSwitchUnclear}
          action={
            <Button variant="secondary" size="sm" disabled={busy} onClick={() => void checkAgain()}>
              {planSwitchStrings.checkAgain}
            </Button>
          }
        >
          {billingStrings.planSwitchUnclearHint}
        </Alert>
      ) : null}
      <div className="flex flex-wrap gap-3">
        {preview ? (
          <Button loading={busy} disabled={quote.isFetching} onClick={() => void confirm(preview)}>
            {preview.kind === "upgrade"
              ? planSwitchStrings.payAndSwitch(formatPence(preview.dueNowPence, preview.currency))
              : planSwitchStrings.switchOn(formatEpochDay(preview.nextAt))}
          </Button>
        ) : null}
        <Button variant="quiet" disabled={busy} onClick={onCancel}>
          {planSwitchStrings.stayOn(current.name)}
        </Button>
      </div>
    </section>
  );
}

function PreviewAmounts({
  preview,
  to,
  current,
}: {
  readonly preview: PlanChangePreviewResponse;
  readonly to: Plan;
  readonly current: Plan;
}) {
  const amount = (pence: number) => formatPence(pence, preview.currency);
  const day = formatEpochDay(preview.nextAt);
  const reduction = previewReduction(preview);
  const price = `${formatPence(to.amountPence, to.currency)} ${formatInterval(to.interval)}`;
  const next =
    preview.nextAmountPence === to.amountPence
      ? planSwitchStrings.nextCharge(price)
      : planSwitchStrings.nextChargeReduced(amount(preview.nextAmountPence), price);
  if (preview.kind === "downgrade") {
    return <p>{planSwitchStrings.downgrade(current.name, day, to.name, next)}</p>;
  }
  return (
    <div className="grid gap-4">
      <dl className="grid gap-2">
        {preview.lines.map((line) => (
          <div key={line.description} className="flex justify-between gap-4 text-sm text-muted">
            <dt>{line.description}</dt>
            <dd className="tabular">{amount(line.amountPence)}</dd>
          </div>
        ))}
        {reduction === 0 ? null : (
          <div className="flex justify-between gap-4 text-sm text-muted">
            <dt>{reduction < 0 ? planSwitchStrings.creditUsed : planSwitchStrings.carriedOver}</dt>
            <dd className="tabular">{amount(reduction)}</dd>
          </div>
        )}
        <div className="flex justify-between gap-4 border-t border-line pt-2 font-medium">
          <dt>{planSwitchStrings.dueNow}</dt>
          <dd className="tabular">{amount(preview.dueNowPence)}</dd>
        </div>
      </dl>
      <p className="text-sm text-muted">{planSwitchStrings.upgrade(to.name, day, next)}</p>
    </div>
  );
}
