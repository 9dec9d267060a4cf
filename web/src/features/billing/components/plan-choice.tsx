import { formatPence } from "@/domain/brand.ts";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import type { Plan } from "../model/plan.ts";
import { checkoutStrings } from "../strings/checkout.ts";
import { formatInterval, planPitches } from "../strings/plans.ts";

export interface PlanChoiceProps {
  readonly plans: readonly Plan[];
  readonly chosen: string;
  readonly onChoose: (planId: string) => void;
  readonly disabled?: boolean | undefined;
}

/** The plans side by side, each with what it adds. */
export function PlanChoice({ plans, chosen, onChoose, disabled }: PlanChoiceProps) {
  return (
    <fieldset className="grid gap-4 md:grid-cols-2" disabled={disabled}>
      <legend className="sr-only">{checkoutStrings.plan}</legend>
      {plans.map((plan) => (
        <ChoiceCard
          key={plan.id}
          name="plan"
          value={plan.id}
          checked={plan.id === chosen}
          onChange={() => onChoose(plan.id)}
          title={plan.name}
          figure={<PlanPrice plan={plan} />}
        >
          <PlanPoints plan={plan} />
        </ChoiceCard>
      ))}
    </fieldset>
  );
}

/** `£50 per month`. */
export function PlanPrice({ plan }: { readonly plan: Plan }) {
  return (
    <>
      <span className="text-xl font-semibold">{formatPence(plan.amountPence, plan.currency)}</span>
      <span className="block text-sm text-muted">{formatInterval(plan.interval)}</span>
    </>
  );
}

/** Whom a plan is for and what it gives. */
export function PlanPoints({ plan }: { readonly plan: Plan }) {
  const pitch = planPitches[plan.role];
  return (
    <span className="grid gap-2 text-sm">
      <span className="text-muted">{pitch.summary}</span>
      <span className="font-medium">{pitch.lead}</span>
      <span className="grid gap-1.5 border-l border-line pl-3">
        {pitch.points.map((point) => (
          <span key={point}>{point}</span>
        ))}
      </span>
    </span>
  );
}
