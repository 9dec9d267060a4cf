import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import type { DraftComment } from "../model/draft.ts";
import { draftNotesStrings } from "../strings/draft.ts";

/** What reviewers wrote, each with the words it is about. Renders nothing without comments. */
export function CommentList({
  comments,
  version,
}: {
  readonly comments: readonly DraftComment[];
  /** The newest version; comments on others say which. */
  readonly version: number;
}) {
  const now = useNow();
  if (comments.length === 0) return null;
  return (
    <section aria-labelledby="comments" className="grid gap-3">
      <h2 id="comments" className="display text-xl">
        {draftNotesStrings.commentsTitle}
      </h2>
      <ul className="grid gap-3">
        {comments.map((each) => (
          <li key={each.id} className="grid gap-2 rounded-card border border-line bg-raised p-4">
            {each.quote === "" ? null : (
              <blockquote className="border-l-2 border-control-line pl-3 text-sm text-muted">
                {each.quote}
              </blockquote>
            )}
            <p className="whitespace-pre-wrap wrap-anywhere">{each.comment}</p>
            <p className="text-sm text-muted">
              {timeAgo(each.createdAt, now)}
              {each.version === version ? null : draftNotesStrings.onVersion(each.version)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
