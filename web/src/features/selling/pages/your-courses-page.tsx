import { BookOpenText } from "lucide-react";
import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { boughtCoursePath, courseReceiptPath, paths } from "@/domain/paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { PublicPage } from "../components/public-page.tsx";
import type { Purchase } from "../model/purchase.ts";
import { usePurchases } from "../queries.ts";
import { purchaseNote } from "../strings.ts";

/** `/your-courses`: what one bought, with or without a membership. */
export function YourCoursesPage() {
  const { data, isError, isFetching, refetch } = usePurchases();
  return (
    <PublicPage>
      <div className="grid grid-cols-1 gap-6">
        <PageHeader
          className="pb-0"
          title="Your courses"
          intro="The courses you bought are yours for life, with or without a membership."
        />
        {data ? (
          <Purchases purchases={data} />
        ) : isError ? (
          <LoadFailed
            title="We couldn't load your courses"
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Loading label="Loading your courses" className="grid gap-4">
            <Skeleton className="h-32 rounded-card" />
          </Loading>
        )}
        <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <TextLink to={paths.account}>Account</TextLink>
          <TextLink to={paths.dashboard}>Go to the membership</TextLink>
        </p>
      </div>
    </PublicPage>
  );
}

function Purchases({ purchases }: { readonly purchases: readonly Purchase[] }) {
  if (purchases.length === 0) {
    return (
      <EmptyState title="You haven't bought a course yet" icon={<BookOpenText aria-hidden />}>
        A course you buy on its mentor's page appears here at once. Courses of the membership are in
        the library.
      </EmptyState>
    );
  }
  return (
    <ul className="grid gap-4">
      {purchases.map((purchase) => (
        <li key={purchase.id}>
          <PurchaseCard purchase={purchase} />
        </li>
      ))}
    </ul>
  );
}

const badges = {
  waiting: <Badge colour="info">Confirming payment</Badge>,
  paid: null,
  refunded: <Badge>Refunded</Badge>,
  disputed: <Badge colour="warn">Payment disputed</Badge>,
} as const;

function PurchaseCard({ purchase }: { readonly purchase: Purchase }) {
  const { id, courseId, title, state, lessons, completed, amountPence, boughtAt } = purchase;
  const note = purchaseNote(purchase);
  const progress = lessons === 0 ? 0 : Math.round((completed / lessons) * 100);
  return (
    <Card className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="grid min-w-0 gap-2">
        <h2 className="display flex flex-wrap items-center gap-x-3 gap-y-1 text-xl">
          <span className="min-w-0 wrap-anywhere">{title}</span>
          {badges[state]}
        </h2>
        {note === null ? null : <p className="max-w-prose text-muted">{note}</p>}
        {state === "paid" ? (
          <div className="grid max-w-sm gap-1.5">
            <p className="tabular text-sm text-muted">
              {completed} of {pluralise(lessons, "lesson")} completed
            </p>
            <ProgressBar label={`Progress in ${title}`} value={progress} />
          </div>
        ) : null}
        <p className="tabular flex flex-wrap gap-x-3 text-sm text-muted">
          {formatPence(amountPence)} · {longDate(boughtAt)}
          {purchase.number === null ? null : (
            <TextLink to={courseReceiptPath(id)}>
              Receipt<span className="sr-only"> for {title}</span>
            </TextLink>
          )}
        </p>
      </div>
      {state === "paid" && courseId !== null ? (
        <Button asChild size="lg">
          <Link to={boughtCoursePath(courseId)}>
            {completed === 0 ? "Start reading" : "Continue reading"}
            <span className="sr-only">: {title}</span>
          </Link>
        </Button>
      ) : null}
    </Card>
  );
}
