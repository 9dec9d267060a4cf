import { BookOpenText } from "lucide-react";
import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import { boughtCoursePath, courseReceiptPath, paths } from "@/domain/paths.ts";
import { useEffectiveLevel } from "@/features/levels/index.ts";
import { longDate } from "@/lib/format-time.ts";
import { useIsInHouse } from "@/lib/members-house.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { TextLink } from "@/ui/text-link.tsx";
import { GiveBack } from "../components/give-back.tsx";
import { PublicPage } from "../components/public-page.tsx";
import type { Purchase } from "../model/purchase.ts";
import { usePurchases } from "../queries.ts";
import { purchaseNote, sellingStrings, yourCoursesStrings } from "../strings.ts";

/** `/your-courses`: what one bought, with or without a membership. */
export function YourCoursesPage() {
  const { data, isError, isFetching, refetch } = usePurchases();
  const isInHouse = useIsInHouse();
  return (
    <PublicPage>
      <div className="grid grid-cols-1 gap-6">
        <PageHeader
          className="pb-0"
          title={sellingStrings.yourCourses}
          intro={yourCoursesStrings.intro}
        />
        {data ? (
          <Purchases purchases={data} />
        ) : isError ? (
          <LoadFailed
            title={yourCoursesStrings.loadFailed}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Loading label={yourCoursesStrings.loading} className="grid gap-4">
            <Skeleton className="h-32 rounded-card" />
          </Loading>
        )}
        {isInHouse ? null : (
          <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
            <TextLink to={`${paths.account}#data`}>{yourCoursesStrings.account}</TextLink>
            <TextLink to={paths.dashboard}>{yourCoursesStrings.toMembership}</TextLink>
          </p>
        )}
      </div>
    </PublicPage>
  );
}

function Purchases({ purchases }: { readonly purchases: readonly Purchase[] }) {
  if (purchases.length === 0) {
    return (
      <EmptyState
        title={yourCoursesStrings.emptyTitle}
        icon={<BookOpenText aria-hidden />}
        action={<FirstStep />}
      >
        {yourCoursesStrings.empty}
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

/** The library for members who may open it, the plans without a membership. */
function FirstStep() {
  const { status, current } = useEffectiveLevel();
  if (status !== "ready" || (current > 0 && current < sections.general.level)) return null;
  const [to, label] =
    current === 0
      ? [paths.paywall, yourCoursesStrings.toPlans]
      : [libraryPath("general", "courses"), yourCoursesStrings.toLibrary];
  return (
    <Button asChild variant="secondary">
      <Link to={to}>{label}</Link>
    </Button>
  );
}

const badges = {
  waiting: <Badge colour="info">{yourCoursesStrings.waiting}</Badge>,
  paid: null,
  refunded: <Badge>{yourCoursesStrings.refunded}</Badge>,
  disputed: <Badge colour="warn">{yourCoursesStrings.disputed}</Badge>,
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
              {yourCoursesStrings.completed(completed, lessons)}
            </p>
            <ProgressBar label={yourCoursesStrings.progress(title)} value={progress} />
          </div>
        ) : null}
        <p className="tabular flex flex-wrap gap-x-3 text-sm text-muted">
          {formatPence(amountPence)} · {longDate(boughtAt)}
          {purchase.number === null ? null : (
            <TextLink to={courseReceiptPath(id)}>
              {yourCoursesStrings.receipt}
              <span className="sr-only">{yourCoursesStrings.receiptFor(title)}</span>
            </TextLink>
          )}
        </p>
      </div>
      {state === "paid" && courseId !== null ? (
        <Button asChild size="lg">
          <Link to={boughtCoursePath(courseId)}>
            {completed === 0 ? yourCoursesStrings.startReading : yourCoursesStrings.continueReading}
            <span className="sr-only">: {title}</span>
          </Link>
        </Button>
      ) : null}
      <GiveBack purchase={purchase} />
    </Card>
  );
}
