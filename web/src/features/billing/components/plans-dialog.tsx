import { useState } from "react";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import type { Plan } from "../model/plan.ts";
import { PlanPoints, PlanPrice } from "./plan-choice.tsx";

/** Lets a subscriber compare the plans. A second one cannot be bought here. */
export function PlansDialog({
  plans,
  current,
}: {
  readonly plans: readonly Plan[];
  readonly current: string | null;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        View Plans
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Plans"
        description="To switch plans, cancel your current plan. When its period ends, choose the other one."
      >
        <ul className="grid divide-y divide-line">
          {plans.map((plan) => (
            <li key={plan.id} className="grid gap-3 py-5 first:pt-0 last:pb-0">
              <div className="flex items-start justify-between gap-4">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  {plan.name}
                  {plan.id === current ? <Badge colour="good">Your plan</Badge> : null}
                </span>
                <span className="tabular text-right">
                  <PlanPrice plan={plan} />
                </span>
              </div>
              <PlanPoints plan={plan} />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
