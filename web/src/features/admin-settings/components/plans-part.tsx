import { brand } from "@/domain/brand.ts";
import { pluralise } from "@/lib/format-count.ts";
import { exactTime } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { PlanOverview } from "../api/fetch-plan-overview.ts";
import { usePlanOverview } from "../queries.ts";

function price({ pence, currency, interval }: PlanOverview): string {
  const format = new Intl.NumberFormat(brand.locale, { style: "currency", currency });
  return `${format.format(pence / 100)} a ${interval}`;
}

const when = (time: number | null) => (time === null ? "Never" : exactTime(time));

/** What is sold, and whether the card provider is heard. Plans are changed by the operator. */
export function PlansPart() {
  const { data, isError, isFetching, refetch } = usePlanOverview();
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title="We couldn't load the plans"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (data === undefined) {
    return (
      <Loading label="Loading the plans" className="grid gap-2">
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
                  {plan.isActive ? "On sale" : "Not on sale"}
                </Badge>
              </h2>
              <p>{price(plan)}</p>
              <p className="text-sm text-muted">
                {pluralise(plan.members, "member")}
                {plan.formerPriceMembers > 0
                  ? `, ${plan.formerPriceMembers} of them at a former price`
                  : ""}
              </p>
              <p className="text-sm wrap-anywhere text-muted">
                Price at the card provider: <code>{plan.priceId}</code>
              </p>
            </Card>
          </li>
        ))}
      </ul>
      <section aria-labelledby="provider-link" className="grid gap-2">
        <h2 id="provider-link" className="text-lg font-medium">
          Link to the card provider
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
          <dt className="text-muted">Last event received</dt>
          <dd>{when(data.lastEventAt)}</dd>
          <dt className="text-muted">Last comparison of members</dt>
          <dd>{when(data.lastCheckAt)}</dd>
        </dl>
        {data.lastEventAt === null ? (
          <p className="max-w-prose text-sm text-muted">
            No event has arrived yet. If members have paid, check the address and the secret of the
            provider's webhook.
          </p>
        ) : null}
      </section>
    </div>
  );
}
