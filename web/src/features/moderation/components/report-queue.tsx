import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import { reportKinds, type ReportDecision, type ReportKind } from "../model/report-kinds.ts";
import type { Report } from "../model/report.ts";
import { useReports, useResolveReport } from "../queries.ts";
import { decisionStrings, reportQueueStrings, stringsOfKind } from "../strings.ts";
import { ReportCard } from "./report-card.tsx";

interface ReportQueueProps {
  /** The kind that the address asks for; all of them when it names none that there is. */
  readonly kind: string;
  /** Called with the empty string for all kinds. */
  readonly onKindChange: (kind: string) => void;
  /** How many of each kind wait; undefined until that is known. */
  readonly counts: Readonly<Record<string, number>> | undefined;
}

/** What members have reported, oldest first, each to be kept or taken away. */
export function ReportQueue({ kind: asked, onKindChange, counts }: ReportQueueProps) {
  const kind = reportKinds.find((each) => each === asked) ?? null;
  const { data, isError, isFetching, refetch } = useReports(kind);
  const resolve = useResolveReport();
  const { asking, ask, dialog } = useDecision<{
    readonly report: Report;
    readonly decision: ReportDecision;
  }>({
    save: ({ report, decision }) => resolve(report.id, decision),
    onSaved: ({ report, decision }) =>
      toast.good(decisionStrings[decision].done(stringsOfKind(report.kind).name)),
    onFailed: () => toast.danger(reportQueueStrings.notSaved),
  });
  const question = decisionStrings[asking?.decision ?? "keep"];
  const name = stringsOfKind(asking?.report.kind ?? "message").name;

  return (
    <div className="grid grid-cols-1 gap-5">
      <KindFilter kind={kind} onKindChange={onKindChange} counts={counts} />
      <QueueSection
        id="report-queue"
        title={reportQueueStrings.title(kind)}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={reportQueueStrings.loading}
        failedTitle={reportQueueStrings.failed}
        emptyTitle={reportQueueStrings.emptyTitle(kind)}
        emptyText={reportQueueStrings.emptyText(kind)}
      >
        {(report) => (
          <ReportCard report={report} onDecide={(decision) => ask({ report, decision })} />
        )}
      </QueueSection>
      <ConfirmDialog
        {...dialog}
        title={question.title(name)}
        description={question.text(name)}
        confirmLabel={question.confirm(name)}
        cancelLabel={reportQueueStrings.notYet}
        danger={asking !== null && asking.decision !== "keep"}
      />
    </div>
  );
}

function KindFilter({
  kind: chosen,
  onKindChange,
  counts,
}: Omit<ReportQueueProps, "kind"> & { readonly kind: ReportKind | null }) {
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const choices = [
    { kind: null, label: reportQueueStrings.all, count: total },
    ...reportKinds.map((kind) => ({
      kind,
      label: stringsOfKind(kind).filter,
      count: counts && (counts[kind] ?? 0),
    })),
  ];
  return (
    <div role="group" aria-label={reportQueueStrings.filter} className="flex flex-wrap gap-2">
      {choices.map(({ kind, label, count }) => (
        <Button
          key={kind ?? ""}
          variant="secondary"
          size="sm"
          aria-pressed={kind === chosen}
          className="gap-1.5 aria-pressed:border-ink aria-pressed:bg-sunken"
          onClick={() => onKindChange(kind ?? "")}
        >
          {label} {count === undefined ? null : <span className="tabular text-muted">{count}</span>}
        </Button>
      ))}
    </div>
  );
}
