import { useSession } from "@/features/session/index.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { useNow } from "@/lib/use-now.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { HelpButton } from "../components/help-button.tsx";
import { NeedsAttention } from "../components/overview-attention.tsx";
import { SystemLights } from "../components/overview-lights.tsx";
import { CommunityFigures, FunnelTable, MemberBreakdown } from "../components/overview-figures.tsx";
import { OwnerMonthCards } from "../components/owner-month.tsx";
import { ProfileCard } from "../components/profile-card.tsx";
import { SectionCards } from "../components/section-cards.tsx";
import { greeting } from "../components/greeting.ts";
import { useOverview } from "../queries.ts";
import { dashboardStrings } from "../strings.ts";

/** `/admindash`: what is true of the community at a glance, and what needs an administrator. */
export function AdminDashboard() {
  const { user, profile } = useSession();
  const now = useNow();
  const { data, isError, error, isFetching, refetch } = useOverview();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={greeting(profile?.firstName, user, now)}
        intro={dashboardStrings.adminIntro}
        actions={<HelpButton />}
        actionsBeside
      />
      {data ? (
        <NeedsAttention overview={data} />
      ) : isError ? null : (
        <Loading label={dashboardStrings.loading}>
          <Skeleton className="h-36 rounded-card" />
        </Loading>
      )}
      <OwnerMonthCards />
      <CommunityFigures overview={data} failed={isError} />
      {data ? (
        <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
          <MemberBreakdown overview={data} />
          <FunnelTable overview={data} />
          <SystemLights overview={data} />
        </div>
      ) : isError ? (
        <LoadFailed
          title={dashboardStrings.loadFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <div aria-hidden className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          <Skeleton className="h-72 rounded-card" />
          <Skeleton className="h-72 rounded-card" />
          <Skeleton className="h-72 rounded-card" />
        </div>
      )}
      <SectionCards role="admin" />
      <ProfileCard />
    </div>
  );
}
