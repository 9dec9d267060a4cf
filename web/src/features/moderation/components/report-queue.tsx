import { useRef, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { findRow } from "@/ui/queue-keys.ts";
import { QueueSection } from "@/ui/queue-section.tsx";
import { QueueWithPanel } from "@/ui/queue-with-panel.tsx";
import { toast } from "@/ui/toast.tsx";
import { useDecision } from "@/ui/use-decision.ts";
import { reportKinds, type ReportDecision, type ReportKind } from "../model/report-kinds.ts";
import { mainReason, mostSeriousFirst, type Report } from "../model/report.ts";
import { useRefreshReports, useReports, useResolveReport } from "../queries.ts";
import {
  decisionStrings,
  removalReasonFor,
  reportQueueStrings,
  stringsOfKind,
} from "../strings.ts";
import { useExplanation } from "../use-explanation.tsx";
import { ReportedWords } from "./reported-words.tsx";
import { ReportCard, type SuspendFormType } from "./report-card.tsx";
import { ReportRow } from "./report-row.tsx";

interface ReportQueueProps {
  /** The kind that the address asks for; all of them when it names none that there is. */
  readonly kind: string;
  /** Called with the empty string for all kinds. */
  readonly onKindChange: (kind: string) => void;
  /** `serious` for the gravest first; else the oldest. */
  readonly order: string;
  /** Called with the empty string for the oldest first. */
  readonly onOrderChange: (order: string) => void;
  readonly suspendForm: SuspendFormType;
  /** How many of each kind wait; undefined until that is known. */
  readonly counts: Readonly<Record<string, number>> | undefined;
}

const pressable = "gap-1.5 aria-pressed:border-ink aria-pressed:bg-sunken";

/** What members have reported, of one kind or of all. */
export function ReportQueue({
  kind: asked,
  onKindChange,
  order,
  onOrderChange,
  suspendForm,
  counts,
}: ReportQueueProps) {
  const kind = reportKinds.find((each) => each === asked) ?? null;
  const isSorted = order === "serious";
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <KindFilter kind={kind} onKindChange={onKindChange} counts={counts} />
        <Button
          variant="secondary"
          size="sm"
          aria-pressed={isSorted}
          className={pressable}
          onClick={() => onOrderChange(isSorted ? "" : "serious")}
        >
          {reportQueueStrings.mostSerious}
        </Button>
      </div>
      <Reports
        key={`${kind ?? ""} ${isSorted}`}
        kind={kind}
        isSorted={isSorted}
        suspendForm={suspendForm}
      />
    </div>
  );
}

/** The reports that wait, oldest or gravest first, and the open one with its two decisions. */
function Reports({
  kind,
  isSorted,
  suspendForm,
}: {
  readonly kind: ReportKind | null;
  readonly isSorted: boolean;
  readonly suspendForm: SuspendFormType;
}) {
  const { data: byAge, isError, isFetching } = useReports(kind);
  const refresh = useRefreshReports();
  const data = isSorted && byAge ? mostSeriousFirst(byAge) : byAge;
  const resolve = useResolveReport();
  const list = useRef<HTMLDivElement>(null);
  /** The report whose turn it is after a decision. */
  const next = useRef<string | null>(null);
  /** Null once the open one was closed; undefined until one was chosen. */
  const [openId, setOpenId] = useState<number | null | undefined>();
  const explanation = useExplanation(reportQueueStrings.explanationHint);
  const { asking, ask, dialog } = useDecision<{
    readonly report: Report;
    readonly decision: ReportDecision;
  }>({
    save: ({ report, decision }) => resolve(report.id, decision, explanation.text),
    onSaved: ({ report, decision }) => {
      const at = data?.findIndex(({ id }) => id === report.id) ?? -1;
      const after = data?.[at + 1] ?? data?.[at - 1];
      next.current = after === undefined ? null : String(after.id);
      setOpenId(after?.id);
      toast.good(decisionStrings[decision].done(stringsOfKind(report.kind).name));
    },
    onFailed: () => toast.danger(reportQueueStrings.notSaved),
  });
  // The first is open at once, and again when another administrator has decided the open one.
  const open = openId === null ? undefined : (data?.find(({ id }) => id === openId) ?? data?.[0]);
  // It stays open when a graver report comes before it: the buttons may not belong to another one from one moment to the next.
  if (open !== undefined && open.id !== openId) setOpenId(open.id);
  const card =
    open === undefined ? null : (
      // Each has its own buttons: the focus may not stay on those of a decision for the next report.
      <ReportCard
        key={open.id}
        report={open}
        suspendForm={suspendForm}
        onDecide={(decision) => {
          explanation.begin(removalReasonFor(mainReason(open).category));
          ask({ report: open, decision });
        }}
      />
    );
  const decision = asking?.decision ?? "keep";
  const question = decisionStrings[decision];
  const name = stringsOfKind(asking?.report.kind ?? "message").name;

  return (
    <>
      <QueueWithPanel
        ref={list}
        label={reportQueueStrings.title(kind)}
        panel={card}
        panelLabel={reportQueueStrings.panel}
      >
        {(below) => (
          <>
            <QueueSection
              id="report-queue"
              title={reportQueueStrings.title(kind)}
              items={data}
              failed={isError}
              refreshing={isFetching}
              onRefresh={refresh}
              loadingLabel={reportQueueStrings.loading}
              failedTitle={reportQueueStrings.failed}
              emptyTitle={reportQueueStrings.emptyTitle(kind)}
              emptyText={reportQueueStrings.emptyText(kind)}
            >
              {(report) => (
                <>
                  <ReportRow
                    report={report}
                    isOpen={report.id === open?.id}
                    onOpen={() => setOpenId(report.id === open?.id ? null : report.id)}
                  />
                  {report.id === open?.id ? below : null}
                </>
              )}
            </QueueSection>
            {data && data.length > 0 ? (
              <p className="mt-3 text-sm text-muted max-md:hidden">{reportQueueStrings.keyboard}</p>
            ) : null}
          </>
        )}
      </QueueWithPanel>
      <ConfirmDialog
        {...dialog}
        focusAfter={() => findRow(list.current, next.current)}
        title={question.title(name)}
        description={question.text(name)}
        confirmLabel={question.confirm(name)}
        cancelLabel={reportQueueStrings.notYet}
        danger={decision !== "keep"}
        firstFocus={decision === "keep" ? undefined : explanation.firstFocus}
        onConfirm={() => {
          if (decision === "keep" || explanation.require()) dialog.onConfirm();
        }}
      >
        {asking === null ? null : (
          <div className="mt-4 empty:hidden">
            <ReportedWords>{asking.report.content}</ReportedWords>
          </div>
        )}
        {decision === "keep" ? null : explanation.fields}
      </ConfirmDialog>
    </>
  );
}

/** Leaves out the kinds of which nothing waits, but for the chosen one. */
function KindFilter({
  kind: chosen,
  onKindChange,
  counts,
}: Pick<ReportQueueProps, "onKindChange" | "counts"> & { readonly kind: ReportKind | null }) {
  const total = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  const choices = [
    { kind: null, label: reportQueueStrings.all, count: total },
    ...reportKinds
      .map((kind) => ({
        kind,
        label: stringsOfKind(kind).filter,
        count: counts && (counts[kind] ?? 0),
      }))
      .filter(({ kind, count }) => kind === chosen || count !== 0),
  ];
  return (
    <div role="group" aria-label={reportQueueStrings.filter} className="flex flex-wrap gap-2">
      {choices.map(({ kind, label, count }) => (
        <Button
          key={kind ?? ""}
          variant="secondary"
          size="sm"
          aria-pressed={kind === chosen}
          className={pressable}
          onClick={() => onKindChange(kind ?? "")}
        >
          {label} {count === undefined ? null : <span className="tabular text-muted">{count}</span>}
        </Button>
      ))}
    </div>
  );
}
