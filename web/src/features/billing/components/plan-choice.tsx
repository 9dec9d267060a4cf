import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { ChoiceCard } from "@/ui/choice-card.tsx";
import { classNames } from "@/ui/class-names.ts";
import { yearlySaving, type Plan, type PlanInterval } from "../model/plan.ts";
import { checkoutStrings } from "../strings/checkout.ts";
import { formatInterval, intervalStrings, planListStrings, planPitches } from "../strings/plans.ts";

export interface PlanChoiceProps {
  readonly plans: readonly Plan[];
  /** All that is on sale, to compare with. */
  readonly onSale: readonly Plan[];
  readonly chosen: string;
  readonly onChoose: (planId: string) => void;
  readonly disabled?: boolean | undefined;
}

/**
 * The plans side by side, each with what it adds. On a phone, where one stands above the other and the card field below both, only
 * the chosen one and what was asked for show their lists.
 */
export function PlanChoice({ plans, onSale, chosen, onChoose, disabled }: PlanChoiceProps) {
  const [asked, setAsked] = useState<readonly string[]>([]);
  return (
    <fieldset className="grid gap-4 md:grid-cols-2" disabled={disabled}>
      <legend className="sr-only">{checkoutStrings.plan}</legend>
      {plans.map((plan) => {
        const isChosen = plan.id === chosen;
        const isAsked = asked.includes(plan.id);
        return (
          <div key={plan.id} className="relative grid">
            <ChoiceCard
              name="plan"
              value={plan.id}
              checked={isChosen}
              onChange={() => onChoose(plan.id)}
              title={plan.name}
              figure={<PlanPrice plan={plan} plans={onSale} />}
              className={classNames(!isChosen && "max-sm:pb-14")}
            >
              <PlanPoints plan={plan} folded={!isChosen && !isAsked} />
            </ChoiceCard>
            {/* Beside the label: a press on it chooses nothing. */}
            {isChosen ? null : (
              <button
                type="button"
                aria-expanded={isAsked}
                onClick={() =>
                  setAsked(isAsked ? asked.filter((id) => id !== plan.id) : [...asked, plan.id])
                }
                className="absolute bottom-1.5 left-3 inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 text-sm font-medium underline underline-offset-4 sm:hidden"
              >
                {planListStrings.included}
                <span className="sr-only">{planListStrings.includedIn(plan.name)}</span>
                <ChevronDown
                  aria-hidden
                  className={classNames("size-4 transition-transform", isAsked && "rotate-180")}
                />
              </button>
            )}
          </div>
        );
      })}
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
export function PlanPoints({
  plan,
  folded = false,
}: {
  readonly plan: Plan;
  /** On a phone, without its list. */
  readonly folded?: boolean;
}) {
  const pitch = planPitches[plan.role];
  const whenFolded = folded && "max-sm:hidden";
  return (
    <span className="grid gap-2 text-sm">
      <span className="text-muted">{pitch.summary}</span>
      <span className={classNames("font-medium", whenFolded)}>{pitch.lead}</span>
      <span className={classNames("grid gap-1.5 border-l border-line pl-3", whenFolded)}>
        {pitch.points.map((point) => (
          <span key={point}>{point}</span>
        ))}
      </span>
    </span>
  );
}
