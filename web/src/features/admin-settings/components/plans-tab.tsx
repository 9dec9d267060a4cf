import { exactTime } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { usePlanOverview } from "../queries.ts";
import { planSettingsStrings } from "../strings.ts";
import { PaymentFormSetting } from "./payment-form-setting.tsx";
import { PlanPrices } from "./plan-prices.tsx";

const when = (time: number | null) => (time === null ? planSettingsStrings.never : exactTime(time));

/** What is sold and for how much, and whether the card provider is heard. */
export function PlansTab() {
  const { data, isError, isFetching, refetch } = usePlanOverview();
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title={planSettingsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) {
    return (
      <Loading label={planSettingsStrings.loading} className="grid gap-2">
        <Skeleton className="h-32 rounded-card" />
      </Loading>
    );
  }
  return (
    <div className="grid gap-6">
      <ul className="grid gap-4 md:grid-cols-2">
        {data.plans.map((plan) => (
          <li key={plan.id}>
            <Card className="grid gap-3">
              <h2 className="flex items-center justify-between gap-3 text-lg font-medium">
                {plan.name}
                <Badge colour={plan.isActive ? "good" : "plain"}>
                  {plan.isActive ? planSettingsStrings.onSale : planSettingsStrings.notOnSale}
                </Badge>
              </h2>
              <p className="text-sm text-muted">
                {planSettingsStrings.members(plan.members, plan.formerPriceMembers)}
              </p>
              <PlanPrices plan={plan} />
            </Card>
          </li>
        ))}
      </ul>
      <PaymentFormSetting />
      <section aria-labelledby="provider-link" className="grid gap-2">
        <h2 id="provider-link" className="text-lg font-medium">
          {planSettingsStrings.provider}
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
          <dt className="text-muted">{planSettingsStrings.lastEvent}</dt>
          <dd>{when(data.lastEventAt)}</dd>
          <dt className="text-muted">{planSettingsStrings.lastCheck}</dt>
          <dd>{when(data.lastCheckAt)}</dd>
        </dl>
        {data.lastEventAt === null ? (
          <p className="max-w-prose text-sm text-muted">{planSettingsStrings.noEvent}</p>
        ) : null}
      </section>
    </div>
  );
}
