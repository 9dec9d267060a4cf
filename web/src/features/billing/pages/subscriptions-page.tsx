import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { systemClock } from "@/lib/clock.ts";
import { Alert } from "@/ui/alert.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import {
  useComplimentary,
  useInvoices,
  usePlans,
  useSubscription,
  useVatDocuments,
  useWithdrawalRight,
} from "../queries.ts";
import { BuyerDetailsForm } from "../components/buyer-details.tsx";
import { VatDocumentList } from "../components/vat-document-list.tsx";
import { ComplimentaryCard } from "../components/complimentary-card.tsx";
import { InvoiceList } from "../components/invoice-list.tsx";
import { MembershipCard } from "../components/membership-card.tsx";
import { isRunning } from "../model/complimentary.ts";
import { usePauseOffer } from "../pause-queries.ts";
import { membershipStrings } from "../strings/membership.ts";

/** True while a part is read for the first time. One that failed is not waited for again. */
const isComing = ({
  isLoading,
  failureCount,
}: Pick<UseQueryResult, "isLoading" | "failureCount">) => isLoading && failureCount === 0;

/** `/subscriptions`: the member's plan, card and invoices, and how to change or cancel it. */
export function SubscriptionsPage() {
  const { role, signOut } = useSession();
  const { status, subscription, active, refresh } = useSubscription();
  const plans = usePlans();
  const { data: given = null } = useComplimentary({ enabled: role !== "admin" });
  const complimentary = isRunning(given, systemClock.now()) ? given : null;
  const isLoading = status === "loading" || (subscription !== null && plans.isPending);
  // What stands below waits for what is above it, and then stays where it is.
  const offers = [useWithdrawalRight(), usePauseOffer(subscription)];
  // Once it was shown, the card stays while an offer is asked for again.
  const [wasShown, setWasShown] = useState(false);
  const isCardComing = isLoading || (!wasShown && offers.some(isComing));
  if (status !== "loading" && !isCardComing && !wasShown) setWasShown(true);
  const lists = [useInvoices(), useVatDocuments()];
  const areListsComing = isCardComing || lists.some(isComing);
  // Their dashboard would lead to the plans, which the page offers already.
  const isShutOut = role !== "admin" && status === "ready" && !active;
  const [refreshing, setRefreshing] = useState(false);
  const [refreshFailed, setRefreshFailed] = useState(false);

  function refreshStatus() {
    setRefreshing(true);
    setRefreshFailed(false);
    refresh()
      .catch(() => setRefreshFailed(true))
      .finally(() => setRefreshing(false));
  }

  return (
    <div className="max-w-column">
      <PageHeader
        title={membershipStrings.title}
        intro={membershipStrings.intro}
        actions={
          <Button variant="secondary" loading={refreshing} onClick={refreshStatus}>
            {membershipStrings.refresh}
          </Button>
        }
      />
      <div className="grid gap-6">
        {refreshFailed || status === "failed" ? (
          <Alert tone="danger" title={membershipStrings.loadFailedTitle}>
            {membershipStrings.loadFailed}
          </Alert>
        ) : null}
        {isCardComing ? <SubscriptionSkeleton /> : null}
        {status === "ready" && subscription === null && complimentary === null ? (
          <EmptyState
            title={role === "admin" ? membershipStrings.adminTitle : membershipStrings.noPlanTitle}
            action={
              role === "admin" ? null : (
                <Button asChild>
                  <Link to={paths.paywall}>{membershipStrings.viewPlans}</Link>
                </Button>
              )
            }
          >
            {role === "admin" ? membershipStrings.admin : membershipStrings.noPlan}
          </EmptyState>
        ) : null}
        {complimentary ? (
          <ComplimentaryCard complimentary={complimentary} plans={plans.data ?? []} />
        ) : null}
        {subscription && !isCardComing ? (
          <MembershipCard subscription={subscription} plans={plans.data ?? []} />
        ) : null}
        {/* Read at once, and shown below what is above them, so that nothing jumps. */}
        {role === "admin" ? null : (
          <div className="grid gap-6" hidden={isCardComing}>
            <InvoiceList />
            <div className="grid gap-6" hidden={areListsComing}>
              <VatDocumentList />
              <BuyerDetailsForm />
            </div>
          </div>
        )}
        <div className="flex flex-wrap gap-3" hidden={areListsComing}>
          {isShutOut ? null : (
            <Button asChild variant="secondary">
              <Link to={dashboardOf[role]}>{membershipStrings.dashboard}</Link>
            </Button>
          )}
          <Button variant="quiet" onClick={() => void signOut()}>
            {membershipStrings.signOut}
          </Button>
        </div>
      </div>
    </div>
  );
}

function SubscriptionSkeleton() {
  return (
    <Loading label={membershipStrings.loading}>
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
        <div className="flex flex-wrap gap-3 border-t border-line pt-5">
          <Skeleton className="h-11 w-44" />
          <Skeleton className="h-11 w-28" />
        </div>
      </Card>
    </Loading>
  );
}
