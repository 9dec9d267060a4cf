import { Flag, Trash2 } from "lucide-react";
import { useState } from "react";
import { MemberText } from "@/features/mentions/index.ts";
import { FoldBlocked } from "@/features/people/index.ts";
import { ReportDialog, useExplanation, type ReportSubject } from "@/features/moderation/index.ts";
import { useSession } from "@/features/session/index.ts";
import { tryAgain, retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { ConfirmDialog } from "@/ui/dialog.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import type { Comment } from "../model/comment.ts";
import type { Submission } from "../model/submission.ts";
import { useCommentActions } from "../mutations.ts";
import { useComments } from "../queries.ts";
import { submissionCommentStrings } from "../strings.ts";
import { Byline } from "./byline.tsx";
import { CommentForm } from "./comment-form.tsx";

/** The comments of a submission, oldest first, and the form for a new one. */
export function Comments({ submission }: { readonly submission: Submission }) {
  const { user, role } = useSession();
  const { data, isError, isFetching, fetchStatus, refetch, hasNextPage, fetchNextPage } =
    useComments(submission);
  const { addComment, removeComment } = useCommentActions(submission.id);
  const [asked, setAsked] = useState<Comment | null>(null);
  const [reported, setReported] = useState<ReportSubject | null>(null);
  const [busy, setBusy] = useState(false);
  const explanation = useExplanation();
  const isOthers = asked !== null && asked.author.id !== user?.id;
  const comments = data?.pages.flat().toReversed() ?? [];
  const isWaiting = !data && !isError;
  // The query goes on by itself once the browser is online.
  const isOffline = fetchStatus === "paused";

  async function confirmDelete(comment: Comment) {
    setBusy(true);
    try {
      await removeComment(comment, isOthers ? explanation.text : null);
      setAsked(null);
    } catch (error) {
      console.error("The comment was not deleted", error);
      toast.danger(submissionCommentStrings.deleteFailed(retryLaterMessage(error) ?? tryAgain));
    }
    setBusy(false);
  }

  return (
    <section
      aria-label={submissionCommentStrings.list(submission.title)}
      className="grid gap-5 border-t border-line pt-5"
    >
      {!data && isError ? (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {submissionCommentStrings.loadFailed}
          <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
            {submissionCommentStrings.tryAgain}
          </Button>
        </p>
      ) : null}
      {isWaiting && isOffline ? (
        <p role="status" className="text-sm text-muted">
          {submissionCommentStrings.offline}
        </p>
      ) : null}
      {isWaiting && !isOffline ? (
        <Loading label={submissionCommentStrings.loading} className="grid gap-2">
          <Skeleton className="h-10 w-48" />
          <Skeleton className="w-full max-w-sm" />
        </Loading>
      ) : null}
      {hasNextPage ? (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {submissionCommentStrings.showEarlier}
        </Button>
      ) : null}
      {data && comments.length === 0 ? (
        <p className="text-sm text-muted">{submissionCommentStrings.empty}</p>
      ) : null}
      {comments.length > 0 ? (
        <ul className="grid gap-5">
          {comments.map((comment) => (
            <li key={comment.id} className="grid gap-2">
              <div className="flex items-start justify-between gap-3">
                <Byline author={comment.author} createdAt={comment.createdAt} size="sm" />
                <div className="-my-1 -mr-3 flex">
                  {comment.author.id === user?.id || role === "admin" ? (
                    <Button
                      variant="quiet"
                      className="px-3"
                      aria-label={submissionCommentStrings.delete(comment.author.name)}
                      onClick={() => {
                        explanation.begin();
                        setAsked(comment);
                      }}
                    >
                      <Trash2 aria-hidden className="size-4 text-muted" />
                    </Button>
                  ) : null}
                  {comment.author.id === user?.id ? null : (
                    <Button
                      variant="quiet"
                      className="px-3"
                      aria-label={submissionCommentStrings.report(comment.author.name)}
                      onClick={() =>
                        setReported({ kind: "comment", id: comment.id, quote: comment.content })
                      }
                    >
                      <Flag aria-hidden className="size-4 text-muted" />
                    </Button>
                  )}
                </div>
              </div>
              <div className="pl-11">
                <FoldBlocked authorId={comment.author.id}>
                  <MemberText
                    subjectId={comment.id}
                    createdAt={Date.parse(comment.createdAt)}
                    content={comment.content}
                  />
                </FoldBlocked>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      <CommentForm submission={submission} onAdd={addComment} />
      <ReportDialog subject={reported} onClose={() => setReported(null)} />
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => setAsked(open ? asked : null)}
        danger
        busy={busy}
        title={submissionCommentStrings.deleteTitle}
        description={
          isOthers ? submissionCommentStrings.deleteOthersText : submissionCommentStrings.deleteText
        }
        confirmLabel={submissionCommentStrings.deleteConfirm}
        cancelLabel={submissionCommentStrings.deleteCancel}
        firstFocus={isOthers ? explanation.firstFocus : undefined}
        onConfirm={() => {
          if (asked && (!isOthers || explanation.require())) void confirmDelete(asked);
        }}
      >
        {isOthers ? explanation.fields : null}
      </ConfirmDialog>
    </section>
  );
}
