import { formatPence } from "@/domain/brand.ts";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import { yearlySaving, type Plan, type PlanInterval } from "../model/plan.ts";
import { checkoutStrings } from "../strings/checkout.ts";
import { formatInterval, intervalStrings, planPitches } from "../strings/plans.ts";

export interface PlanChoiceProps {
  readonly plans: readonly Plan[];
  /** All that is on sale, to compare with. */
  readonly onSale: readonly Plan[];
  readonly chosen: string;
  readonly onChoose: (planId: string) => void;
  readonly disabled?: boolean | undefined;
}

/** The plans side by side, each with what it adds. */
export function PlanChoice({ plans, onSale, chosen, onChoose, disabled }: PlanChoiceProps) {
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
          figure={<PlanPrice plan={plan} plans={onSale} />}
        >
          <PlanPoints plan={plan} />
        </ChoiceCard>
      ))}
    </fieldset>
  );
}

/** `£50 per month`; of a year, what it saves. */
export function PlanPrice({
  plan,
  plans,
}: {
  readonly plan: Plan;
  readonly plans: readonly Plan[];
}) {
  const saving = plan.interval === "year" ? yearlySaving(plan, plans) : 0;
  return (
    <>
      <span className="text-xl font-semibold">{formatPence(plan.amountPence, plan.currency)}</span>
      <span className="block text-sm text-muted">{formatInterval(plan.interval)}</span>
      {saving > 0 ? (
        <span className="block text-sm whitespace-nowrap">
          {intervalStrings.saving(formatPence(saving, plan.currency))}
        </span>
      ) : null}
    </>
  );
}

/** Whether to pay by the month or by the year. */
export function IntervalChoice({
  chosen,
  onChoose,
  disabled,
}: {
  readonly chosen: PlanInterval;
  readonly onChoose: (interval: PlanInterval) => void;
  readonly disabled?: boolean | undefined;
}) {
  return (
    <fieldset className="flex" disabled={disabled}>
      <legend className="sr-only">{intervalStrings.legend}</legend>
      {(["month", "year"] as const).map((interval) => (
        <label
          key={interval}
          data-segment=""
          className="inline-flex min-h-11 cursor-pointer items-center border border-control-line px-5 text-sm font-medium first-of-type:rounded-l-control last-of-type:-ml-px last-of-type:rounded-r-control has-[:checked]:relative has-[:checked]:border-ink has-[:checked]:bg-ink has-[:checked]:text-on-ink has-[:disabled]:cursor-not-allowed has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
        >
          <input
            type="radio"
            name="interval"
            className="sr-only"
            checked={interval === chosen}
            onChange={() => onChoose(interval)}
          />
          {intervalStrings[interval]}
        </label>
      ))}
    </fieldset>
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
