import { reportCategoryName } from "@/domain/report-categories.ts";
import { shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { mainReason, type Report } from "../model/report.ts";
import { reportQueueStrings, stringsOfKind } from "../strings.ts";

/** A report in the queue: whose it is, its first words, and the gravest reason. */
export function ReportRow({
  report,
  isOpen,
  onOpen,
}: {
  readonly report: Report;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const now = useNow();
  const { author, content, kind, reports, reportedAt } = report;
  const { category, words } = mainReason(report);
  return (
    <button
      type="button"
      data-row={report.id}
      aria-expanded={isOpen}
      onClick={onOpen}
      className="grid min-h-14 w-full gap-0.5 px-4 py-3 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:bg-sunken sm:px-6"
    >
      <span dir="auto" className="font-medium wrap-anywhere">
        {reportQueueStrings.by(stringsOfKind(kind).name, author.name)}
      </span>{" "}
      {content === "" ? null : (
        <>
          <span dir="auto" className="line-clamp-1 text-sm wrap-anywhere">
            “{content}”
          </span>{" "}
        </>
      )}
      <span className="line-clamp-1 text-sm wrap-anywhere text-muted">
        {[reportCategoryName(category), words].filter(Boolean).join(" · ")}
      </span>{" "}
      <span className="tabular text-sm text-muted">
        {reportQueueStrings.open(reports, shortTime(reportedAt, now))}
      </span>
    </button>
  );
}
