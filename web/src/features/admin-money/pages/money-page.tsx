import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { PageHeader } from "@/ui/page-header.tsx";
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

const defaults = { view: "payments", search: "", state: "", since: "", until: "" };

/** `/admindash/money`: payments, refunds, disputes, failed events, codes, payouts, claims and complimentary memberships. */
export function MoneyPage() {
  const [{ view, ...filters }, setFilters] = useUrlFilters(defaults);
  const { error } = useMoneyFigures();
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title="Money"
        intro="Payments and what became of them, codes, and memberships you give away."
      />
      {error !== null && isSecondFactorDue(error) ? (
        <SecondFactorNeeded title="Money needs a second factor" purpose="see or move money" />
      ) : (
        <>
          <MoneyFigures />
          <Tabs
            label="Money"
            value={view}
            onValueChange={(next) => setFilters({ view: next })}
            items={[
              {
                value: "payments",
                label: "Payments",
                content: <PaymentsView filters={filters} onFilter={setFilters} />,
              },
              { value: "refunds", label: "Refunds", content: <RefundsView /> },
              { value: "disputes", label: "Disputes", content: <DisputesView /> },
              { value: "events", label: "Failed events", content: <EventsView /> },
              { value: "codes", label: "Codes", content: <CodesView /> },
              { value: "payouts", label: "Payouts", content: <PayoutsView /> },
              { value: "guarantee", label: "Guarantee", content: <ClaimsView /> },
              { value: "complimentary", label: "Complimentary", content: <GrantsView /> },
            ]}
          />
        </>
      )}
    </div>
  );
}
