import { ReportDialog } from "@/ui/report-dialog.tsx";
import type { FoundPost } from "../model/post.ts";
import { usePostActions } from "../mutations.ts";
import { collaborateStrings, explainPostError } from "../strings.ts";

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
      title={`Report “${post?.title ?? ""}”`}
      note="Only administrators see your report. The author isn't told who reported the post."
      label="What's wrong with this post?"
      send={({ id }, reason) => report(id, reason)}
      explain={explainPostError}
      done={collaborateStrings.reported}
      onClose={onClose}
    />
  );
}
