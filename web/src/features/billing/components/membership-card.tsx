import { useEffect, useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { nextStepOf } from "../model/next-step.ts";
import type { PlanChangeOutcome } from "../model/plan-change.ts";
import { isSamePlan, subscribedPlan, type Plan } from "../model/plan.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import { usePauseOffer } from "../pause-queries.ts";
import { useOwnPrice, useSubscription } from "../queries.ts";
import { membershipStrings } from "../strings/membership.ts";
import { cardStrings } from "../strings/payment.ts";
import { planLabel, planSwitchStrings } from "../strings/plans.ts";
import { CardControl } from "./card-control.tsx";
import { PauseControl } from "./pause-control.tsx";
import { PlanSwitch } from "./plan-switch.tsx";
import { PlannedChange } from "./planned-change.tsx";
import { PlansDialog } from "./plans-dialog.tsx";
import { RenewalControl } from "./renewal-control.tsx";
import { SubscriptionDetails } from "./subscription-details.tsx";
import { SwitchResult } from "./switch-result.tsx";
import { WithdrawalControl } from "./withdrawal-control.tsx";

/** What saving another card does. */
function cardHint(subscription: Subscription): string {
  if (nextStepOf(subscription) === "update-card") return cardStrings.paysOverdue;
  return subscription.status === "trialing" ? cardStrings.paysAfterTrial : cardStrings.paysNext;
}

/** The member's subscription with everything that can be done about it. */
export function MembershipCard({
  subscription,
  plans,
}: {
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
}) {
  const { role, refreshProfile } = useSession();
  const { refresh } = useSubscription();
  const [target, setTarget] = useState<Plan | null>(null);
  // The switch under way, and whether the server has accepted it.
  const [switched, setSwitched] = useState<{ to: Plan; isAccepted: boolean } | null>(null);
  /** What was done last: it alone says how it went. */
  const [lastUsed, setLastUsed] = useState<"card" | "renewal" | "plan" | null>(null);
  const isOnSale = plans.some(({ priceId }) => priceId === subscription.priceId);
  const own = useOwnPrice(subscription.priceId, {
    enabled:
      plans.length > 0 && !isOnSale && (isActive(subscription) || subscription.hold === "paused"),
  });
  const plan = subscribedPlan(subscription, plans, role, own.data ?? null);
  const named = (each: Plan): Plan => ({ ...each, name: planLabel(each, plans) });
  const step = nextStepOf(subscription);
  const hasCard = isActive(subscription) || step === "update-card" || step === "resume";
  const isPausing = usePauseOffer(subscription).data?.pause?.hasBegun === false;
  const canSwitch =
    subscription.status === "active" &&
    subscription.hold === null &&
    !subscription.cancelAtPeriodEnd &&
    subscription.pendingPriceId === null &&
    !isPausing;

  const hasSwitched = switched !== null && isSamePlan(plan, switched.to);
  // A planned switch is shown as such from here on, and may be undone.
  if (switched !== null && subscription.pendingPriceId === switched.to.priceId) {
    setSwitched(null);
    setTarget(null);
  }

  // Another plan is another role.
  useEffect(() => {
    if (hasSwitched) void refreshProfile();
  }, [hasSwitched, refreshProfile]);

  async function onSettled(to: Plan, { kind }: PlanChangeOutcome) {
    await refresh().catch(() => undefined);
    const isAccepted = kind === "changed" || kind === "planned";
    setSwitched(kind === "refused" ? null : { to, isAccepted });
    if (isAccepted) setTarget(null);
  }

  return (
    <Card className="grid gap-6">
      <SubscriptionDetails subscription={subscription} plan={plan} isPausing={isPausing} />
      <PlannedChange
        subscription={subscription}
        current={plan && named(plan)}
        plans={plans.map(named)}
      />
      {switched && (hasSwitched ? lastUsed === "plan" : switched.isAccepted) ? (
        <SwitchResult to={named(switched.to)} isConfirmed={hasSwitched} />
      ) : null}
      {target && plan && canSwitch && !hasSwitched ? (
        <PlanSwitch
          key={target.priceId}
          to={named(target)}
          current={named(plan)}
          onSettled={(outcome) => onSettled(target, outcome)}
          onCancel={() => setTarget(null)}
        />
      ) : null}
      <div className="flex flex-wrap gap-3 border-t border-line pt-5">
        {hasCard ? (
          <CardControl
            hint={cardHint(subscription)}
            isOverdue={step === "update-card"}
            isLastUsed={lastUsed === "card"}
            onUse={() => setLastUsed("card")}
          />
        ) : null}
        <RenewalControl
          subscription={subscription}
          plans={plans}
          isLastUsed={lastUsed === "renewal"}
          onUse={() => setLastUsed("renewal")}
        />
        {hasCard ? (
          <PlansDialog
            plans={plans}
            current={plan}
            onSwitch={
              canSwitch
                ? (chosen) => {
                    setSwitched(null);
                    setTarget(chosen);
                    setLastUsed("plan");
                  }
                : null
            }
            whyNot={
              subscription.status === "trialing"
                ? planSwitchStrings.afterTrial
                : planSwitchStrings.notNow
            }
          />
        ) : null}
        {step === "contact-support" ? (
          <Button asChild>
            <a href={`mailto:${brand.supportEmail}`}>{membershipStrings.contactSupport}</a>
          </Button>
        ) : null}
        {step === "choose-plan" ? (
          <Button asChild>
            <Link to={paths.paywall}>{membershipStrings.viewPlans}</Link>
          </Button>
        ) : null}
      </div>
      <PauseControl subscription={subscription} plan={plan} />
      <WithdrawalControl />
    </Card>
  );
}
