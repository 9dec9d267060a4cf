import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { guaranteeLineNames } from "@/domain/guarantee-terms.ts";
import { paths } from "@/domain/paths.ts";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { Card } from "@/ui/card.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { ProgressBar } from "@/ui/progress.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import type { GuaranteeBaseline, GuaranteeRecord } from "../model/guarantee-record.ts";
import { useGuaranteeRecord } from "../queries.ts";
import { explainGuaranteeError } from "../strings.ts";
import { BaselineForm, guaranteeHeadingId } from "./baseline-form.tsx";
import { CheckInForm } from "./check-in-form.tsx";
import { ClaimSection } from "./claim-section.tsx";

/** The guarantee's clock and what is on record. Nothing for those who never had a paid membership. */
export function GuaranteePanel() {
  const { data, isError, error, isFetching, refetch } = useGuaranteeRecord();
  if (data === null) return null;
  return (
    <section aria-labelledby={guaranteeHeadingId} className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={guaranteeHeadingId} tabIndex={-1} className="display text-xl focus:outline-none">
          Your guarantee
        </h2>
        <Link
          to={paths.guarantee}
          className="inline-flex min-h-11 items-center text-sm underline underline-offset-4"
        >
          Read the terms
        </Link>
      </div>
      {data ? (
        <Card className="grid grid-cols-1 gap-8">
          <RecordBody record={data} />
        </Card>
      ) : isError ? (
        <LoadFailed
          title="We couldn't load your guarantee"
          reassurance="Your record is safe."
          busy={isFetching}
          advice={explainGuaranteeError(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label="Loading your guarantee">
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
        Nothing was written down in the first week, until {longDate(record.baselineUntil)}. Without
        a start there is nothing to compare with, so the guarantee doesn't apply.
      </p>
    );
  }
  return (
    <div className="grid gap-5">
      <p className="max-w-[68ch] text-muted">
        Write down what you earn a month, until {longDate(record.baselineUntil)}. It's what your
        income is compared with when your {record.months} months are over.
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
          label="Month"
          value={isOver ? "Over" : `${baseline.month} of ${record.months}`}
          note={`${isOver ? "Ended" : "Ends"} ${longDate(baseline.endsAt)}`}
        />
        <StatFigure
          label="You started at"
          value={formatPence(baseline.monthlyPence)}
          note={baseline.hasDocument ? `${baseline.source}, with a document` : baseline.source}
        />
        <StatFigure label="The aim" value={formatPence(baseline.targetPence)} note="a month" />
        <StatFigure
          label="Latest check-in"
          value={formatPence(record.checkIns.at(-1)?.monthlyPence ?? baseline.monthlyPence)}
          note={
            record.checkIns.length === 0
              ? "None yet: your start"
              : `Month ${record.checkIns.at(-1)?.month}`
          }
        />
      </dl>
      <ul aria-label="What is on record" className="grid gap-4 sm:grid-cols-2">
        {record.lines.map(({ line, needed, held, met }) => (
          <li key={line} className="grid content-start gap-2">
            <p className="flex justify-between gap-3 text-sm">
              <span>{guaranteeLineNames[line]}</span>
              <span className="tabular text-muted">
                {formatCount(held)} of {formatCount(needed)}
                {met ? ", met" : ""}
              </span>
            </p>
            <ProgressBar
              label={guaranteeLineNames[line]}
              value={(held / needed) * 100}
              valueText={`${held} of ${needed}`}
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
            Correct where you started
          </summary>
          <div className="pt-3">
            <BaselineForm baseline={baseline} />
          </div>
        </details>
      ) : null}
    </>
  );
}
