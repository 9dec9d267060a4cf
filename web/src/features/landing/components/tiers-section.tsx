import { Check } from "lucide-react";
import { withChosenPlan } from "@/domain/chosen-plan.ts";
import { joiningPrice } from "@/domain/joining-price.ts";
import { paths } from "@/domain/paths.ts";
import type { SoldPlan } from "../model/sold-plan.ts";
import { tierPrice, tiersIntro } from "../strings/prices.ts";
import { landingStrings, spots, tiers, type Tier } from "../strings.ts";
import { CallToAction } from "./call-to-action.tsx";
import { LandingSection } from "./section.tsx";

function TierColumn({
  tier,
  plan,
  first,
}: {
  readonly tier: Tier;
  readonly plan: SoldPlan;
  readonly first: boolean;
}) {
  const { charged, price, before, yearly } = tierPrice(tier, plan);
  return (
    <div className="grid content-start gap-6 rounded-card border border-line bg-raised p-6 sm:p-8">
      <div className="grid gap-3">
        <h3 className="text-lg font-semibold">{tier.name}</h3>
        <p className="flex items-baseline gap-3">
          <span className="display tabular text-4xl">{price}</span>
          {before === null ? null : (
            <s className="tabular text-lg text-muted">
              <span className="sr-only">{landingStrings.insteadOf}</span>
              {before}
            </s>
          )}
          <span className="text-sm text-muted">{landingStrings.aMonth}</span>
        </p>
        <p className="justify-self-start rounded-control bg-good/10 px-3 py-1.5 font-medium">
          {joiningPrice(charged)}
        </p>
        {yearly === null ? null : <p className="font-medium">{yearly}</p>}
        <p className="text-muted">{tier.pitch}</p>
      </div>
      <CallToAction
        hideGuarantee
        to={withChosenPlan(paths.signUp, tier.plan)}
        variant={first ? "primary" : "secondary"}
      >
        {landingStrings.startWith(tier.name)}
      </CallToAction>
      <div className="grid gap-5 border-t border-line pt-5">
        {tier.plus ? <p className="font-medium">{tier.plus}</p> : null}
        {tier.groups.map(({ title, lines }) => (
          <section key={title} className="grid gap-2">
            <h4 className="text-sm font-semibold">{title}</h4>
            <ul className="grid gap-1.5">
              {lines.map((line) => (
                <li key={line} className="flex items-start gap-3">
                  <Check aria-hidden className="mt-1.5 size-4 shrink-0 text-good" />
                  {line}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

/** A hundred places as a hundred marks; the hollow ones are left. */
function Places() {
  const taken = spots.perMonth - spots.remaining;
  return (
    <div className="grid gap-4">
      <svg viewBox="0 0 250 40" aria-hidden className="w-full max-w-md">
        {Array.from({ length: spots.perMonth }, (_, index) => (
          <circle
            key={index}
            cx={(index % 25) * 10 + 5}
            cy={Math.floor(index / 25) * 10 + 5}
            r="3"
            fill={index < taken ? "var(--ink)" : "none"}
            stroke={index < taken ? "var(--ink)" : "var(--accent)"}
            strokeWidth="1.4"
          />
        ))}
      </svg>
      <p className="max-w-prose text-muted">
        {landingStrings.places.before(spots.perMonth)}
        <strong className="font-semibold text-ink">
          {landingStrings.places.remaining(spots.remaining)}
        </strong>
        {landingStrings.places.after}
      </p>
    </div>
  );
}

/** The memberships that are sold, side by side. */
export function TiersSection({ plans }: { readonly plans: readonly SoldPlan[] }) {
  const sold = tiers.flatMap((tier) => {
    const plan = plans.find(({ role }) => role === tier.plan);
    return plan === undefined ? [] : [{ tier, plan }];
  });
  return (
    <LandingSection id="plans" title={landingStrings.tiersTitle} intro={tiersIntro(plans)}>
      <div className="grid gap-12">
        <div className="grid gap-5 lg:grid-cols-2 lg:gap-6">
          {sold.map(({ tier, plan }, index) => (
            <TierColumn key={tier.name} tier={tier} plan={plan} first={index === 0} />
          ))}
        </div>
        <Places />
      </div>
    </LandingSection>
  );
}
