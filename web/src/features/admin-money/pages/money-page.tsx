import { lazy, Suspense } from "react";
import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
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

// Looked at now and then, so that they weigh nothing for the other views.
const FailedPaymentsView = lazy(async () => ({
  default: (await import("../components/failed-payments-view.tsx")).FailedPaymentsView,
}));
const MonthsView = lazy(async () => ({
  default: (await import("../components/months-view.tsx")).MonthsView,
}));
const MoneyTrend = lazy(async () => ({
  default: (await import("../components/money-trend.tsx")).MoneyTrend,
}));

const moneyViews = Object.keys(moneyPageStrings.views) as MoneyView[];
type MoneyView = keyof typeof moneyPageStrings.views;

const defaults = { view: "payments", search: "", state: "", since: "", until: "" };
/** The account whose newest payment is to be refunded: it is opened. */
const defaultAim = { refund: "" };

/** `/admindash/money`: one list at a time, the payments first, and the line of twelve months above their figures. */
export function MoneyPage() {
  const [{ view, ...filters }, setFilters] = useUrlFilters(defaults);
  const [{ refund }, setAim] = useUrlFilters(defaultAim);
  const { error } = useMoneyFigures();
  const shown = moneyViews.find((each) => each === view) ?? "payments";
  const views = {
    payments: (
      <PaymentsView
        filters={filters}
        onFilter={setFilters}
        refundOf={refund}
        onRefundLeft={() => setAim({ refund: "" }, { replace: true })}
      />
    ),
    failed: <FailedPaymentsView />,
    months: (
      <div className="grid grid-cols-1 gap-6">
        <MoneyTrend />
        <MonthsView />
      </div>
    ),
    refunds: <RefundsView />,
    disputes: <DisputesView />,
    events: <EventsView />,
    codes: <CodesView />,
    payouts: <PayoutsView />,
    guarantee: <ClaimsView />,
    complimentary: <GrantsView />,
  } as const satisfies Record<MoneyView, unknown>;
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
          {/* On a phone what one looks for comes first. */}
          <div className="max-sm:order-last">
            <MoneyFigures />
          </div>
          <SelectField
            label={moneyPageStrings.show}
            fieldClassName="max-w-xs"
            value={shown}
            options={moneyViews.map((each) => ({
              value: each,
              label: moneyPageStrings.views[each],
            }))}
            onChange={(event) => setFilters({ view: event.target.value })}
          />
          <Suspense fallback={<Skeleton className="h-40" />}>{views[shown]}</Suspense>
        </>
      )}
    </div>
  );
}
