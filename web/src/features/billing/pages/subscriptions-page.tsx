import { useState } from "react";
import { Link } from "react-router";
import { brand } from "@/domain/brand.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { isActive } from "../model/subscription.ts";
import { usePlans, useSubscription } from "../queries.ts";
import { CardControl } from "../components/card-control.tsx";
import { PlansDialog } from "../components/plans-dialog.tsx";
import { RenewalControl } from "../components/renewal-control.tsx";
import { SubscriptionDetails } from "../components/subscription-details.tsx";

/** `/subscriptions`: the member's plan, and how to cancel it. */
export function SubscriptionsPage() {
  const { role, signOut } = useSession();
  const { status, subscription, refresh } = useSubscription();
  const plans = usePlans();
  const [refreshing, setRefreshing] = useState(false);
  const [refreshFailed, setRefreshFailed] = useState(false);
  const plan = plans.data?.find((each) => each.priceId === subscription?.priceId) ?? null;

  function refreshStatus() {
    setRefreshing(true);
    setRefreshFailed(false);
    refresh()
      .catch(() => setRefreshFailed(true))
      .finally(() => setRefreshing(false));
  }

  return (
    <div className="max-w-3xl">
      <PageHeader
        title="Membership"
        intro="See your plan and when it renews, or cancel it."
        actions={
          <Button variant="secondary" loading={refreshing} onClick={refreshStatus}>
            Refresh Status
          </Button>
        }
      />
      <div className="grid gap-6">
        {refreshFailed || status === "failed" ? (
          <Alert tone="danger" title="We couldn't load your subscription">
            Nothing has changed. Check your connection and press Refresh Status.
          </Alert>
        ) : null}
        {status === "loading" ? <SubscriptionSkeleton /> : null}
        {status === "ready" && subscription === null ? (
          <EmptyState
            title={role === "admin" ? "Administrators need no plan" : "You have no plan yet"}
            action={
              role === "admin" ? null : (
                <Button asChild>
                  <Link to={paths.paywall}>View Plans</Link>
                </Button>
              )
            }
          >
            {role === "admin"
              ? "Your account has full access without a subscription."
              : "Choose a plan to join the community."}
          </EmptyState>
        ) : null}
        {subscription ? (
          <Card className="grid gap-6">
            <SubscriptionDetails subscription={subscription} plan={plan} />
            <div className="flex flex-wrap gap-3 border-t border-line pt-5">
              {isActive(subscription) || subscription.status === "past_due" ? (
                <CardControl isOverdue={subscription.status === "past_due"} />
              ) : null}
              <RenewalControl subscription={subscription} />
              {isActive(subscription) ? (
                <PlansDialog plans={plans.data ?? []} current={plan?.id ?? null} />
              ) : subscription.hold === "disputed" ? (
                <Button asChild variant="secondary">
                  <a href={`mailto:${brand.supportEmail}`}>Contact support</a>
                </Button>
              ) : (
                <Button asChild variant="secondary">
                  <Link to={paths.paywall}>View Plans</Link>
                </Button>
              )}
            </div>
          </Card>
        ) : null}
        <div className="flex flex-wrap gap-3">
          <Button asChild variant="secondary">
            <Link to={dashboardOf[role]}>Go to Dashboard</Link>
          </Button>
          <Button variant="quiet" onClick={() => void signOut()}>
            Sign Out
          </Button>
        </div>
      </div>
    </div>
  );
}

function SubscriptionSkeleton() {
  return (
    <Loading label="Loading your subscription">
      <Card className="grid gap-6">
        <div className="grid gap-2">
          <Skeleton className="h-7 w-48" />
          <Skeleton className="h-5 w-32" />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </div>
        <div className="flex gap-3 border-t border-line pt-5">
          <Skeleton className="h-11 w-44" />
          <Skeleton className="h-11 w-28" />
        </div>
      </Card>
    </Loading>
  );
}
