import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames } from "@/domain/guarantee-terms.ts";
import { paths } from "@/domain/paths.ts";
import { lastDayInLondon, longDate } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import type { GuaranteeBaseline, GuaranteeRecord } from "../model/guarantee-record.ts";
import { useGuaranteeRecord } from "../queries.ts";
import { explainGuaranteeError, guaranteeRecordStrings } from "../strings.ts";
import { BaselineForm, guaranteeHeadingId } from "../components/baseline-form.tsx";
import { CheckInForm } from "../components/check-in-form.tsx";
import { ClaimSection } from "../components/claim-section.tsx";

/** `/progress/guarantee`: the guarantee's clock and what is on record. */
export function GuaranteeRecordPage() {
  const { data, isError, error, isFetching, refetch } = useGuaranteeRecord();
  return (
    <section aria-labelledby={guaranteeHeadingId} className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={guaranteeRecordStrings.title}
        titleId={guaranteeHeadingId}
        intro={guaranteeRecordStrings.intro}
        actions={
          <Button asChild variant="secondary">
            <Link to={paths.guarantee}>{guaranteeRecordStrings.terms}</Link>
          </Button>
        }
      />
      {data ? (
        <Card className="grid grid-cols-1 gap-8">
          <RecordBody record={data} />
        </Card>
      ) : data === null ? (
        <EmptyState title={guaranteeRecordStrings.noneTitle}>
          {guaranteeRecordStrings.none}
        </EmptyState>
      ) : isError ? (
        <LoadFailed
          title={guaranteeRecordStrings.loadFailed}
          reassurance={guaranteeRecordStrings.recordSafe}
          busy={isFetching}
          advice={explainGuaranteeError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={guaranteeRecordStrings.loading}>
          <Skeleton className="h-40 rounded-card" />
        </Loading>
      )}
    </section>
  );
}

function RecordBody({ record }: { readonly record: GuaranteeRecord }) {
  const { baseline } = record;
  if (baseline) return <BaselineBody record={record} baseline={baseline} />;
  if (!record.isBaselineOpen) {
    return (
      <p className="max-w-prose text-muted">
        {guaranteeRecordStrings.noStart(lastDayInLondon(record.baselineUntil))}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-prose text-muted">
        {guaranteeRecordStrings.start(lastDayInLondon(record.baselineUntil), record.months)}
      </p>
      <BaselineForm baseline={null} />
    </div>
  );
}

function BaselineBody({
  record,
  baseline,
}: {
  readonly record: GuaranteeRecord;
  readonly baseline: GuaranteeBaseline;
}) {
  const isOver = baseline.month > record.months;
  const recorded = record.checkIns.find(({ month }) => month === baseline.month);
  return (
    <>
      <dl className="grid grid-cols-2 gap-5 lg:grid-cols-4">
        <StatFigure
          label={guaranteeRecordStrings.month}
          value={
            isOver
              ? guaranteeRecordStrings.over
              : guaranteeRecordStrings.monthOf(baseline.month, record.months)
          }
          note={guaranteeRecordStrings.end(isOver, longDate(baseline.endsAt))}
        />
        <StatFigure
          label={guaranteeRecordStrings.startedAt}
          value={formatPence(baseline.monthlyPence)}
          note={
            baseline.hasDocument
              ? guaranteeRecordStrings.withDocument(baseline.source)
              : baseline.source
          }
        />
        <StatFigure
          label={guaranteeRecordStrings.aim}
          value={formatPence(baseline.targetPence)}
          note={guaranteeRecordStrings.aimNote}
        />
        <StatFigure
          label={guaranteeRecordStrings.latest}
          value={formatPence(record.checkIns.at(-1)?.monthlyPence ?? baseline.monthlyPence)}
          note={guaranteeRecordStrings.latestNote(record.checkIns.at(-1)?.month)}
        />
      </dl>
      <ul aria-label={guaranteeRecordStrings.lines} className="grid gap-4 sm:grid-cols-2">
        {record.lines.map(({ line, needed, held, met }) => (
          <li key={line} className="grid content-start gap-2">
            <p className="flex justify-between gap-3 text-sm">
              <span>{guaranteeLineNames[line]}</span>
              <span className="tabular text-muted">
                {guaranteeRecordStrings.lineProgress(held, needed, met)}
              </span>
            </p>
            <ProgressBar
              label={guaranteeLineNames[line]}
              value={(held / needed) * 100}
              valueText={guaranteeRecordStrings.lineValue(held, needed)}
            />
          </li>
        ))}
      </ul>
      {isOver ? (
        <ClaimSection record={record} baseline={baseline} />
      ) : (
        <CheckInForm
          key={baseline.month}
          month={baseline.month}
          recordedPence={recorded?.monthlyPence ?? null}
        />
      )}
      {record.isBaselineOpen ? (
        <details>
          <summary className="min-h-11 cursor-pointer py-2.5 text-sm font-medium">
            {guaranteeRecordStrings.correct}
          </summary>
          <div className="pt-3">
            <BaselineForm baseline={baseline} />
          </div>
        </details>
      ) : null}
    </>
  );
}
