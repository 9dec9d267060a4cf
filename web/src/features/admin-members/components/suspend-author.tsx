import { AdminLoadFailed } from "@/features/session/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useMemberDetail } from "../queries.ts";
import { memberPanelStrings } from "../strings.ts";
import { SuspendForm } from "./suspend-form.tsx";

/** Suspends who wrote something, beside what they wrote, by the form of the member's panel. */
export function SuspendAuthor({
  memberId,
  onClose,
}: {
  readonly memberId: string;
  readonly onClose: () => void;
}) {
  const { data, error, isError, isFetching, refetch } = useMemberDetail(memberId);
  if (!data) {
    return isError ? (
      <AdminLoadFailed
        title={memberPanelStrings.loadFailed}
        error={error}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    ) : (
      <Loading label={memberPanelStrings.loading}>
        <Skeleton className="h-72 rounded-card" />
      </Loading>
    );
  }
  const { suspension } = data.account;
  if (suspension !== null) {
    return (
      <p role="status" className="text-sm text-muted">
        {suspension.until === null
          ? memberPanelStrings.suspendedUntilLifted
          : memberPanelStrings.suspendedUntil(longDate(Date.parse(suspension.until)))}
      </p>
    );
  }
  return <SuspendForm account={data.account} billing={data.billing} isInCard onClose={onClose} />;
}
