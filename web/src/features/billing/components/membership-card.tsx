import { useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import type { Plan } from "../model/plan.ts";
import { nextStepOf } from "../model/next-step.ts";
import { isActive, type Subscription } from "../model/subscription.ts";
import { useSubscription } from "../queries.ts";
import { CardControl } from "./card-control.tsx";
import { PlanSwitch } from "./plan-switch.tsx";
import { PlannedChange } from "./planned-change.tsx";
import { PlansDialog } from "./plans-dialog.tsx";
import { RenewalControl } from "./renewal-control.tsx";
import { SubscriptionDetails } from "./subscription-details.tsx";

/** The member's subscription with everything that can be done about it. */
export function MembershipCard({
  subscription,
  plans,
}: {
  readonly subscription: Subscription;
  readonly plans: readonly Plan[];
}) {
  const { refreshProfile } = useSession();
  const { refresh } = useSubscription();
  const [target, setTarget] = useState<Plan | null>(null);
  const [switched, setSwitched] = useState<string | null>(null);
  const plan = plans.find((each) => each.priceId === subscription.priceId) ?? null;
  const step = nextStepOf(subscription);
  const hasCard = isActive(subscription) || step === "update-card";
  const canSwitch =
    subscription.status === "active" &&
    subscription.hold === null &&
    !subscription.cancelAtPeriodEnd &&
    subscription.pendingPriceId === null;

  async function onSwitched(to: Plan, kind: "changed" | "planned") {
    await refresh().catch(() => undefined);
    if (kind === "changed") {
      setSwitched(to.name);
      void refreshProfile();
    }
    setTarget(null);
  }

  return (
    <Card className="grid gap-6">
      <SubscriptionDetails subscription={subscription} plan={plan} />
      <PlannedChange subscription={subscription} plans={plans} />
      {switched === null ? null : <Alert tone="good">You're on {switched} now.</Alert>}
      {target && plan && canSwitch ? (
        <PlanSwitch
          key={target.id}
          to={target}
          current={plan}
          onDone={({ kind }) => onSwitched(target, kind)}
          onCancel={() => setTarget(null)}
        />
      ) : null}
      <div className="flex flex-wrap gap-3 border-t border-line pt-5">
        {hasCard ? <CardControl isOverdue={step === "update-card"} /> : null}
        <RenewalControl subscription={subscription} />
        {hasCard ? (
          <PlansDialog
            plans={plans}
            current={plan?.id ?? null}
            onSwitch={
              canSwitch
                ? (chosen) => {
                    setSwitched(null);
                    setTarget(chosen);
                  }
                : null
            }
          />
        ) : null}
        {step === "contact-support" ? (
          <Button asChild>
            <a href={`mailto:${brand.supportEmail}`}>Contact support</a>
          </Button>
        ) : null}
        {step === "choose-plan" ? (
          <Button asChild>
            <Link to={paths.paywall}>View Plans</Link>
          </Button>
        ) : null}
      </div>
    </Card>
  );
}
