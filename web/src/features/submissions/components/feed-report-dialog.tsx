import { useBackend } from "@/lib/backend.tsx";
import { ReportDialog } from "@/ui/report-dialog.tsx";
import { reportFeedText, type ReportedPost } from "../api/submission-reports.ts";
import { explainSubmissionError, feedReportStrings, submissionStrings } from "../strings.ts";

/** Reports a submission or a comment to the administrators, with a reason. */
export function FeedReportDialog({
  post,
  onClose,
}: {
  /** Null while nothing is to be reported. */
  readonly post: ReportedPost | null;
  readonly onClose: () => void;
}) {
  const { client } = useBackend();
  return (
    <ReportDialog
      subject={post}
      title={feedReportStrings.title(post?.kind === "comment")}
      note={feedReportStrings.note}
      quote={post?.excerpt}
      send={(reported, reason) => reportFeedText(client, reported, reason)}
      explain={explainSubmissionError}
      done={submissionStrings.reported}
      onClose={onClose}
    />
  );
}
