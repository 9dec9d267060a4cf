import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { formatCount } from "@/lib/format-count.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { CommissionsTable } from "../components/commissions-table.tsx";
import { CoursesToRecommend } from "../components/courses-to-recommend.tsx";
import { LinkCard } from "../components/link-card.tsx";
import { MonthlyStatement } from "../components/monthly-statement.tsx";
import type { Affiliate } from "../model/affiliate.ts";
import { needsMembership, useAffiliate } from "../queries.ts";
import { affiliateStrings, ruleSentences } from "../strings.ts";

/** `/affiliates`: the member's link, and what came of it. */
export function AffiliatesPage() {
  const { data, error, isFetching, refetch } = useAffiliate();
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0 print:hidden"
        title={affiliateStrings.title}
        intro={affiliateStrings.intro}
      />
      {data ? (
        <AffiliateBody affiliate={data} />
      ) : needsMembership(error) ? (
        <EmptyState
          title={affiliateStrings.lockedTitle}
          action={
            <Button asChild>
              <Link to={paths.subscriptions}>{affiliateStrings.seeMembership}</Link>
            </Button>
          }
        >
          {affiliateStrings.locked}
        </EmptyState>
      ) : error ? (
        <LoadFailed
          title={affiliateStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={affiliateStrings.loading} className="grid gap-4">
          <Skeleton className="h-56 rounded-card" />
          <Skeleton className="h-24 rounded-card" />
        </Loading>
      )}
    </div>
  );
}

function AffiliateBody({ affiliate }: { readonly affiliate: Affiliate }) {
  return (
    <>
      <div className="print:hidden">
        <LinkCard affiliate={affiliate} />
      </div>
      <Card className="print:hidden">
        <dl
          aria-label={affiliateStrings.figures}
          className="grid grid-cols-2 gap-5 sm:grid-cols-3 lg:grid-cols-6"
        >
          <StatFigure label={affiliateStrings.visits} value={formatCount(affiliate.visits)} />
          <StatFigure label={affiliateStrings.signUps} value={formatCount(affiliate.signUps)} />
          <StatFigure label={affiliateStrings.members} value={formatCount(affiliate.members)} />
          <StatFigure
            label={affiliateStrings.pending}
            value={formatPence(affiliate.pendingPence)}
          />
          <StatFigure
            label={affiliateStrings.payable}
            value={formatPence(affiliate.payablePence)}
            note={affiliate.payablePence < 0 ? affiliateStrings.payableNegative : undefined}
          />
          <StatFigure label={affiliateStrings.paid} value={formatPence(affiliate.paidPence)} />
        </dl>
      </Card>
      <div className="grid grid-cols-1 empty:hidden print:hidden">
        <CoursesToRecommend code={affiliate.code} />
      </div>
      <section aria-labelledby="commissions" className="grid grid-cols-1 gap-3 print:hidden">
        <h2 id="commissions" className="display text-xl">
          {affiliateStrings.commissions}
        </h2>
        <CommissionsTable />
      </section>
      <MonthlyStatement affiliate={affiliate} />
      <section aria-labelledby="rules" className="grid grid-cols-1 gap-3 print:hidden">
        <h2 id="rules" className="display text-xl">
          {affiliateStrings.rules}
        </h2>
        <ul className="grid max-w-prose list-disc gap-2 pl-5 text-muted">
          {ruleSentences(affiliate.terms).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
