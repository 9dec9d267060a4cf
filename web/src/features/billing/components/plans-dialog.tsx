import { useState } from "react";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { isSamePlan, type Plan } from "../model/plan.ts";
import { planLabel, planSwitchStrings } from "../strings/plans.ts";
import { PlanPoints, PlanPrice } from "./plan-choice.tsx";

/** Lets a subscriber compare the plans and choose the one to switch to. */
export function PlansDialog({
  plans,
  current,
  onSwitch,
  whyNot,
}: {
  readonly plans: readonly Plan[];
  readonly current: Plan | null;
  /** Null while the plan can't be changed. */
  readonly onSwitch: ((plan: Plan) => void) | null;
  /** What to do or wait for when it can't be changed. */
  readonly whyNot: string;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {planSwitchStrings.view}
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={planSwitchStrings.title}
        description={onSwitch === null ? whyNot : planSwitchStrings.intro}
      >
        <ul className="grid divide-y divide-line">
          {plans
            .filter((plan, index) => plans.findIndex(({ id }) => id === plan.id) === index)
            .map((plan) => {
              const prices = plans.filter(({ id }) => id === plan.id);
              const others = prices.filter((each) => !isSamePlan(current, each));
              return (
                <li key={plan.id} className="grid gap-3 py-5 first:pt-0 last:pb-0">
                  <div className="flex items-start justify-between gap-4">
                    <span className="flex flex-wrap items-center gap-2 font-medium">
                      {plan.name}
                      {plan.id === current?.id ? (
                        <Badge colour="good">{planSwitchStrings.current}</Badge>
                      ) : null}
                    </span>
                    <span className="tabular grid gap-2 text-right">
                      {prices.map((each) => (
                        <span key={each.priceId}>
                          <PlanPrice plan={each} plans={plans} />
                        </span>
                      ))}
                    </span>
                  </div>
                  <PlanPoints plan={plan} />
                  {onSwitch === null || others.length === 0 ? null : (
                    <div className="flex flex-wrap gap-3">
                      {others.map((each) => (
                        <Button
                          key={each.priceId}
                          variant="secondary"
                          onClick={() => {
                            setOpen(false);
                            onSwitch(each);
                          }}
                        >
                          {planSwitchStrings.switchTo(planLabel(each, plans))}
                        </Button>
                      ))}
                    </div>
                  )}
                </li>
              );
            })}
        </ul>
      </Dialog>
    </>
  );
}
