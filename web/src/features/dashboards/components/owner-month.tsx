import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { membershipNames } from "@/domain/membership-status.ts";
import { paths } from "@/domain/paths.ts";
import { monthName, timeAgo } from "@/lib/format-time.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useNow } from "@/lib/use-now.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { OwnerMonth } from "../model/owner-month.ts";
import { useOwnerMonth } from "../queries.ts";
import { ownerStrings } from "../strings.ts";

/** The money of the month, and who joined last. Nothing without a second factor: the console asks for it. */
export function OwnerMonthCards() {
  const { data, isError, error, isFetching, refetch } = useOwnerMonth();
  if (data) return <Cards month={data} />;
  if (!isError) {
    return (
      <Loading label={ownerStrings.loading}>
        <Skeleton className="h-76 rounded-card" />
      </Loading>
    );
  }
  if (isSecondFactorDue(error)) return null;
  return (
    <LoadFailed
      title={ownerStrings.failed}
      busy={isFetching}
      advice={retryLaterMessage(error)}
      onRetry={() => void refetch()}
    />
  );
}

function Cards({
  month: { month, netPence, netBeforePence, newest },
}: {
  readonly month: OwnerMonth;
}) {
  const now = useNow();
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-[1fr_2fr]">
      <Card className="grid content-start gap-2">
        <h2 className="text-sm font-medium text-muted">{ownerStrings.money}</h2>
        <p className="display tabular text-3xl">{formatPence(netPence)}</p>
        <p className="tabular text-sm text-muted">
          {month === null ? null : ownerStrings.soFar(monthName(month))}{" "}
          {ownerStrings.monthBefore(formatPence(netBeforePence))}
        </p>
        <Link to={paths.adminMoney} className="text-sm underline underline-offset-4">
          {ownerStrings.toMoney}
        </Link>
      </Card>
      <Card className="grid content-start gap-2">
        <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
          <h2 id="newest-members" className="text-sm font-medium text-muted">
            {ownerStrings.newest}
          </h2>
          <Link to={paths.adminMembers} className="text-sm underline underline-offset-4">
            {ownerStrings.toMembers}
          </Link>
        </div>
        {newest.length === 0 ? (
          <p className="text-sm text-muted">{ownerStrings.nobody}</p>
        ) : (
          <ul aria-labelledby="newest-members" className="-mx-2">
            {newest.map(({ id, name, membership, joinedAt }) => (
              <li key={id}>
                <Link
                  to={`${paths.adminMembers}?member=${id}`}
                  className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-control px-2 py-1.5 text-sm hover:bg-hover"
                >
                  <span className="truncate">
                    <bdi className="font-medium">{name}</bdi>{" "}
                    <span className="text-muted">
                      · {membershipNames[membership as keyof typeof membershipNames] ?? membership}
                    </span>
                  </span>{" "}
                  <span className="tabular text-muted">{timeAgo(joinedAt, now)}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
