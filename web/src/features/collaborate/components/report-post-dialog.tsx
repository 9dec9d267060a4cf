import { ReportDialog } from "@/ui/report-dialog.tsx";
import type { FoundPost } from "../model/post.ts";
import { usePostActions } from "../mutations.ts";
import { collaborateStrings, explainPostError, foundPostStrings } from "../strings.ts";

/** Reports a post to the administrators, with a reason. */
export function ReportPostDialog({
  post,
  onClose,
}: {
  /** Null while nothing is to be reported. */
  readonly post: FoundPost | null;
  readonly onClose: () => void;
}) {
  const { report } = usePostActions();
  return (
    <ReportDialog
      subject={post}
      title={foundPostStrings.reportTitle(post?.title ?? "")}
      note={foundPostStrings.reportNote}
      label={foundPostStrings.reportReason}
      send={({ id }, reason) => report(id, reason)}
      explain={explainPostError}
      done={collaborateStrings.reported}
      onClose={onClose}
    />
  );
}
