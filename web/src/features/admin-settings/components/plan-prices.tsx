import { useState } from "react";
import { formatPence } from "@/domain/brand.ts";
import { longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import type { PlanOverview, SoldPrice } from "../api/fetch-plan-overview.ts";
import { planPriceStrings, planSettingsStrings } from "../strings.ts";
import { PriceDialog, type PriceTask } from "./price-dialog.tsx";

/** What a plan is and was sold for, with the members who pay it, and how to change it. */
export function PlanPrices({ plan }: { readonly plan: PlanOverview }) {
  const [task, setTask] = useState<PriceTask | null>(null);
  const hasYearly = plan.prices.some(
    ({ interval, retiredAt }) => interval === "year" && retiredAt === null,
  );
  return (
    <>
      <ul className="grid gap-2 text-sm">
        {plan.prices.map((price) => (
          <li key={price.priceId}>
            <PriceRow price={price} currency={plan.currency} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button size="sm" variant="secondary" onClick={() => setTask("month")}>
          {planPriceStrings.newMonthly}
        </Button>
        <Button size="sm" variant="secondary" onClick={() => setTask("year")}>
          {hasYearly ? planPriceStrings.newYearly : planPriceStrings.addYearly}
        </Button>
        {hasYearly ? (
          <Button size="sm" variant="quiet" onClick={() => setTask("retire")}>
            {planPriceStrings.retire}
          </Button>
        ) : null}
      </div>
      {task === null ? null : (
        <PriceDialog key={task} plan={plan} task={task} onClose={() => setTask(null)} />
      )}
    </>
  );
}

function PriceRow({ price, currency }: { readonly price: SoldPrice; readonly currency: string }) {
  const { pence, interval, retiredAt, members } = price;
  const amount = pence === null ? planPriceStrings.unknownAmount : formatPence(pence, currency);
  return (
    <div className={retiredAt === null ? "grid" : "grid text-muted"}>
      <span className="flex flex-wrap justify-between gap-x-4">
        <span>{planSettingsStrings.price(amount, interval)}</span>
        <span>{planPriceStrings.payers(members)}</span>
      </span>
      <span className="wrap-anywhere text-muted">
        {retiredAt === null ? null : `${planPriceStrings.until(longDate(retiredAt))} `}
        {planSettingsStrings.priceId} <code>{price.priceId}</code>
      </span>
    </div>
  );
}
