import { Store } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { paths, salePath } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { OfferForm } from "../components/offer-form.tsx";
import { isSalePrice, type CourseOffer, type MentorSales } from "../model/course-offer.ts";
import { useMentorSales } from "../queries.ts";
import { mentorRules, mentorSalesStrings, sellingStrings } from "../strings.ts";

/** `/studio/selling`: the mentor's priced courses, their public pages and what the sales brought. */
export function MentorSalesPage() {
  const { data, isError, isFetching, refetch } = useMentorSales();
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={mentorSalesStrings.title}
        intro={mentorSalesStrings.intro}
      />
      {data ? (
        <Sales sales={data} />
      ) : isError ? (
        <LoadFailed
          title={mentorSalesStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={mentorSalesStrings.loading} className="grid gap-4">
          <Skeleton className="h-40 rounded-card" />
        </Loading>
      )}
    </div>
  );
}

function Sales({ sales }: { readonly sales: MentorSales }) {
  return (
    <>
      {sales.courses.length === 0 ? (
        <EmptyState
          title={mentorSalesStrings.emptyTitle}
          icon={<Store aria-hidden />}
          action={
            <Button asChild>
              <Link to={paths.studio}>{mentorSalesStrings.toStudio}</Link>
            </Button>
          }
        >
          {mentorSalesStrings.empty}
        </EmptyState>
      ) : (
        <ul className="grid gap-4">
          {sales.courses.map((offer) => (
            <li key={offer.courseId}>
              <OfferCard offer={offer} />
            </li>
          ))}
        </ul>
      )}
      <section aria-labelledby="selling-rules" className="grid gap-3">
        <h2 id="selling-rules" className="display text-xl">
          {mentorSalesStrings.rules}
        </h2>
        <ul className="grid max-w-prose list-disc gap-2 pl-5 text-muted">
          {mentorRules(sales).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <p>
          <Link to={paths.affiliates} className="underline underline-offset-4">
            {mentorSalesStrings.toPayable}
          </Link>
        </p>
      </section>
    </>
  );
}

function stateOf({ isOpen, isOnSale, isPublished, endedReason }: CourseOffer) {
  if (endedReason !== null) return <Badge colour="warn">{sellingStrings.saleEnded}</Badge>;
  if (isOpen) return <Badge colour="good">{mentorSalesStrings.onSale}</Badge>;
  if (isOnSale) return <Badge colour="warn">{mentorSalesStrings.paused}</Badge>;
  return (
    <Badge>{isPublished ? mentorSalesStrings.notOnSale : mentorSalesStrings.notPublished}</Badge>
  );
}

function OfferCard({ offer }: { readonly offer: CourseOffer }) {
  const [editing, setEditing] = useState(false);
  const editId = `sale-${offer.courseId}`;
  const hasForm = offer.slug !== null || isSalePrice(offer.pricePence);
  return (
    <Card className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid min-w-0 gap-1">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg font-medium">
            <span className="min-w-0 wrap-anywhere">{offer.title}</span>
            {stateOf(offer)}
          </h2>
          <p className="tabular text-sm text-muted">
            {formatPence(offer.pricePence)}
            {offer.isOpen && offer.slug !== null ? (
              <>
                {" · "}
                <Link to={salePath(offer.slug)} className="underline underline-offset-4">
                  {salePath(offer.slug)}
                </Link>
              </>
            ) : null}
          </p>
        </div>
        {editing || !hasForm ? null : (
          <Button id={editId} variant="secondary" onClick={() => setEditing(true)}>
            {offer.slug === null ? mentorSalesStrings.sell : mentorSalesStrings.change}
            <span className="sr-only">: {offer.title}</span>
          </Button>
        )}
      </div>
      {offer.endedReason === null ? null : (
        <Alert tone="warn" title={sellingStrings.saleEndedTitle}>
          <p className="wrap-anywhere">“{offer.endedReason}”</p>
          <p>{sellingStrings.saleEndedHint}</p>
        </Alert>
      )}
      {hasForm ? null : <p className="max-w-prose text-muted">{mentorSalesStrings.priceHint}</p>}
      {offer.isOnSale && !offer.isOpen ? (
        <p className="max-w-prose text-muted">{mentorSalesStrings.pausedHint}</p>
      ) : null}
      {offer.sales === 0 ? null : (
        <dl aria-label={mentorSalesStrings.figures(offer.title)} className="grid grid-cols-3 gap-5">
          <StatFigure label={mentorSalesStrings.sold} value={String(offer.sales)} />
          <StatFigure label={mentorSalesStrings.takenBack} value={String(offer.takenBack)} />
          <StatFigure label={mentorSalesStrings.earned} value={formatPence(offer.earnedPence)} />
        </dl>
      )}
      {editing ? (
        <OfferForm offer={offer} openedBy={editId} onDone={() => setEditing(false)} />
      ) : null}
    </Card>
  );
}
