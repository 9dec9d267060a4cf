import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames } from "@/domain/guarantee-terms.ts";
import { paths } from "@/domain/paths.ts";
import { longDate } from "@/lib/format-time.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import type { GuaranteeBaseline, GuaranteeRecord } from "../model/guarantee-record.ts";
import { useGuaranteeRecord } from "../queries.ts";
import { explainGuaranteeError, guaranteePanelStrings } from "../strings.ts";
import { BaselineForm, guaranteeHeadingId } from "./baseline-form.tsx";
import { CheckInForm } from "./check-in-form.tsx";
import { ClaimSection } from "./claim-section.tsx";

/** The guarantee's clock and what is on record. Nothing for those who never had a paid membership. */
export function GuaranteePanel() {
  const { data, isError, error, isFetching, refetch } = useGuaranteeRecord();
  const isHere = useLocation().hash === `#${guaranteeHeadingId}`;
  const isShown = data !== undefined && data !== null;
  // The record comes after the page, so the address can't find it by itself.
  useEffect(() => {
    if (isHere && isShown) document.getElementById(guaranteeHeadingId)?.focus();
  }, [isHere, isShown]);
  if (data === null) return null;
  return (
    <section aria-labelledby={guaranteeHeadingId} className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={guaranteeHeadingId} tabIndex={-1} className="display text-xl focus:outline-none">
          {guaranteePanelStrings.title}
        </h2>
        <Link
          to={paths.guarantee}
          className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
        >
          {guaranteePanelStrings.terms}
        </Link>
      </div>
      {data ? (
        <Card className="grid grid-cols-1 gap-8">
          <RecordBody record={data} />
        </Card>
      ) : isError ? (
        <LoadFailed
          title={guaranteePanelStrings.loadFailed}
          reassurance={guaranteePanelStrings.recordSafe}
          busy={isFetching}
          advice={explainGuaranteeError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={guaranteePanelStrings.loading}>
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
      <p className="max-w-[68ch] text-muted">
        {guaranteePanelStrings.noStart(longDate(record.baselineUntil))}
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-[68ch] text-muted">
        {guaranteePanelStrings.start(longDate(record.baselineUntil), record.months)}
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
          label={guaranteePanelStrings.month}
          value={
            isOver
              ? guaranteePanelStrings.over
              : guaranteePanelStrings.monthOf(baseline.month, record.months)
          }
          note={guaranteePanelStrings.end(isOver, longDate(baseline.endsAt))}
        />
        <StatFigure
          label={guaranteePanelStrings.startedAt}
          value={formatPence(baseline.monthlyPence)}
          note={
            baseline.hasDocument
              ? guaranteePanelStrings.withDocument(baseline.source)
              : baseline.source
          }
        />
        <StatFigure
          label={guaranteePanelStrings.aim}
          value={formatPence(baseline.targetPence)}
          note={guaranteePanelStrings.aimNote}
        />
        <StatFigure
          label={guaranteePanelStrings.latest}
          value={formatPence(record.checkIns.at(-1)?.monthlyPence ?? baseline.monthlyPence)}
          note={guaranteePanelStrings.latestNote(record.checkIns.at(-1)?.month)}
        />
      </dl>
      <ul aria-label={guaranteePanelStrings.lines} className="grid gap-4 sm:grid-cols-2">
        {record.lines.map(({ line, needed, held, met }) => (
          <li key={line} className="grid content-start gap-2">
            <p className="flex justify-between gap-3 text-sm">
              <span>{guaranteeLineNames[line]}</span>
              <span className="tabular text-muted">
                {guaranteePanelStrings.lineProgress(held, needed, met)}
              </span>
            </p>
            <ProgressBar
              label={guaranteeLineNames[line]}
              value={(held / needed) * 100}
              valueText={guaranteePanelStrings.lineValue(held, needed)}
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
            {guaranteePanelStrings.correct}
          </summary>
          <div className="pt-3">
            <BaselineForm baseline={baseline} />
          </div>
        </details>
      ) : null}
    </>
  );
}
