import { lazy, Suspense } from "react";
import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { ClaimsView } from "../components/claims-view.tsx";
import { CodesView } from "../components/codes-view.tsx";
import { EventsView } from "../components/events-view.tsx";
import { GrantsView } from "../components/grants-view.tsx";
import { MoneyFigures } from "../components/money-figures.tsx";
import { PayoutsView } from "../components/payouts-view.tsx";
import { PaymentsView } from "../components/payments-view.tsx";
import { DisputesView, RefundsView } from "../components/reversals-view.tsx";
import { useMoneyFigures } from "../queries.ts";
import { moneyPageStrings } from "../strings/page.ts";

// Looked at now and then, so that they weigh nothing for the other tabs.
const FailedPaymentsView = lazy(async () => ({
  default: (await import("../components/failed-payments-view.tsx")).FailedPaymentsView,
}));
const MonthsView = lazy(async () => ({
  default: (await import("../components/months-view.tsx")).MonthsView,
}));

const defaults = { view: "payments", search: "", state: "", since: "", until: "" };

/** `/admindash/money`: payments, those that failed, refunds, disputes, failed events, codes, payouts, claims and complimentary memberships. */
export function MoneyPage() {
  const [{ view, ...filters }, setFilters] = useUrlFilters(defaults);
  const { error } = useMoneyFigures();
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader className="pb-0" title={moneyPageStrings.title} intro={moneyPageStrings.intro} />
      {error !== null && isSecondFactorDue(error) ? (
        <SecondFactorNeeded
          title={moneyPageStrings.factorTitle}
          purpose={moneyPageStrings.factorPurpose}
        />
      ) : (
        <>
          <MoneyFigures />
          <Tabs
            label={moneyPageStrings.title}
            value={view}
            onValueChange={(next) => setFilters({ view: next })}
            items={[
              {
                value: "payments",
                label: moneyPageStrings.tabs.payments,
                content: <PaymentsView filters={filters} onFilter={setFilters} />,
              },
              {
                value: "failed",
                label: moneyPageStrings.tabs.failed,
                content: (
                  <Suspense fallback={<Skeleton className="h-40" />}>
                    <FailedPaymentsView />
                  </Suspense>
                ),
              },
              {
                value: "months",
                label: moneyPageStrings.tabs.months,
                content: (
                  <Suspense fallback={<Skeleton className="h-40" />}>
                    <MonthsView />
                  </Suspense>
                ),
              },
              { value: "refunds", label: moneyPageStrings.tabs.refunds, content: <RefundsView /> },
              {
                value: "disputes",
                label: moneyPageStrings.tabs.disputes,
                content: <DisputesView />,
              },
              { value: "events", label: moneyPageStrings.tabs.events, content: <EventsView /> },
              { value: "codes", label: moneyPageStrings.tabs.codes, content: <CodesView /> },
              { value: "payouts", label: moneyPageStrings.tabs.payouts, content: <PayoutsView /> },
              {
                value: "guarantee",
                label: moneyPageStrings.tabs.guarantee,
                content: <ClaimsView />,
              },
              {
                value: "complimentary",
                label: moneyPageStrings.tabs.complimentary,
                content: <GrantsView />,
              },
            ]}
          />
        </>
      )}
    </div>
  );
}
