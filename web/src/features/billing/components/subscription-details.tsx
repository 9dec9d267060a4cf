import { formatPence } from "@/domain/brand.ts";
import { cardName } from "@/domain/card-name.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import type { Plan } from "../model/plan.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import {
  formatEpochDay,
  statusHint,
  statusNote,
  formatStatus,
  trialNote,
} from "./format-subscription.ts";
import { membershipStrings } from "../strings/membership.ts";
import { cardStrings } from "../strings/payment.ts";
import { formatInterval } from "../strings/plans.ts";

function badgeColour(subscription: Subscription): "good" | "warn" | "danger" | "plain" {
  if (isActive(subscription)) return subscription.cancelAtPeriodEnd ? "warn" : "good";
  if (subscription.hold === "disputed") return "danger";
  if (subscription.status === "past_due" || subscription.status === "unpaid") return "danger";
  return subscription.status === "incomplete" ? "warn" : "plain";
}

/** Whether the member must act or loses access. */
function isUrgent({ status, hold }: Subscription): boolean {
  return status === "past_due" || hold === "disputed";
}

/** What happens when the period ends. */
function periodEndName({ cancelAtPeriodEnd, status }: Subscription, isPausing: boolean): string {
  if (isPausing && !cancelAtPeriodEnd) return membershipStrings.pausesOn;
  if (cancelAtPeriodEnd) return membershipStrings.accessUntil;
  return status === "trialing" ? membershipStrings.trialEndsOn : membershipStrings.renewsOn;
}

/** Plan, status, and the dates and card that go with them. */
export function SubscriptionDetails({
  subscription,
  plan,
  isPausing,
}: {
  readonly subscription: Subscription;
  readonly plan: Plan | null;
  /** A pause is planned for the end of the period. */
  readonly isPausing: boolean;
}) {
  const note = statusNote(subscription.status, subscription.hold);
  const hint = statusHint(subscription);
  const card = cardName(subscription.paymentMethodBrand, subscription.paymentMethodLast4);
  const price =
    plan === null
      ? null
      : `${formatPence(plan.amountPence, plan.currency)} ${formatInterval(plan.interval)}`;
  const keepsEarlierPrice = plan !== null && plan.priceId !== subscription.priceId;
  const trial = trialNote(subscription, keepsEarlierPrice ? null : price);
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-lg font-medium">{plan?.name ?? membershipStrings.unknownPlan}</h2>
          {price === null ? null : (
            <p className="tabular text-muted">
              {keepsEarlierPrice ? membershipStrings.earlierPrice : price}
              {plan?.isFormer === true ? membershipStrings.keptPrice : ""}
            </p>
          )}
        </div>
        <Badge colour={badgeColour(subscription)} data-status={subscription.status}>
          {formatStatus(subscription.status, subscription.hold)}
          {subscription.cancelAtPeriodEnd && isActive(subscription) ? membershipStrings.ending : ""}
        </Badge>
      </div>
      {note ? (
        <Alert tone={isUrgent(subscription) ? "danger" : "warn"}>
          <p>{note}</p>
          {hint === null ? null : <p className="mt-1">{hint}</p>}
        </Alert>
      ) : null}
      {trial === null ? null : <p>{trial}</p>}
      <dl className="grid gap-4 sm:grid-cols-2">
        {subscription.currentPeriodEnd === null || !isActive(subscription) ? null : (
          <Fact name={periodEndName(subscription, isPausing)}>
            {formatEpochDay(subscription.currentPeriodEnd)}
          </Fact>
        )}
        <Fact name={cardStrings.card}>{card ?? cardStrings.noCard}</Fact>
      </dl>
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}
