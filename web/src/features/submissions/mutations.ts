import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useRefreshPacts } from "@/features/pacts/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { patchQueries } from "@/lib/query-cache.ts";
import { deleteComment } from "./api/delete-comment.ts";
import { deleteSubmission } from "./api/delete-submission.ts";
import { editSubmission } from "./api/edit-submission.ts";
import { featureSubmission } from "./api/feature-submission.ts";
import { insertComment } from "./api/insert-comment.ts";
import { likeSubmission } from "./api/like-submission.ts";
import type { Comment } from "./model/comment.ts";
import type { SubmissionEdit } from "./model/draft.ts";
import { withChanged, withEdit, withLike, withoutOne } from "./model/feed.ts";
import type { Submission } from "./model/submission.ts";
import { submissionKeys, type FeedData } from "./queries.ts";

/** Actions on a submission. Likes and the featured mark are optimistic. All reject on failure. */
export function useSubmissionActions(submission: Submission) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const refreshPacts = useRefreshPacts();
  const lastLike = useRef<Promise<void>>(Promise.resolve());

  function change(update: (before: Submission) => Submission): void {
    patchQueries<FeedData>(queries, submissionKeys.allFeeds(userId), (feed) =>
      withChanged(feed, submission.id, update),
    );
  }

  async function like(liked: boolean): Promise<void> {
    change((before) => withLike(before, liked));
    // Requests go out one after the other, so that the last press also arrives last.
    const sent = lastLike.current.then(() => likeSubmission(client, userId, submission.id, liked));
    lastLike.current = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      change((before) => withLike(before, !liked));
      throw error;
    }
  }

  async function feature(featured: boolean): Promise<void> {
    change((before) => ({ ...before, featured }));
    try {
      await featureSubmission(client, submission.id, featured);
    } catch (error) {
      change((before) => ({ ...before, featured: !featured }));
      throw error;
    }
  }

  async function edit(text: SubmissionEdit, mentioned: readonly string[]): Promise<void> {
    await editSubmission(client, submission.id, text, mentioned);
    change((before) => withEdit(before, text));
  }

  async function remove(explanation: string | null): Promise<void> {
    await deleteSubmission(client, submission.id, explanation);
    patchQueries<FeedData>(queries, submissionKeys.allFeeds(userId), (feed) =>
      withoutOne(feed, submission.id),
    );
    // It may have been a pact, or the outcome of one.
    refreshPacts();
  }

  return { like, feature, edit, remove };
}

/** Actions on the comments of a submission. Both reject on failure. */
export function useCommentActions(submissionId: string) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const queryKey = submissionKeys.comments(userId, submissionId);

  /** A second call with the same id stores the comment once. */
  async function addComment(
    commentId: string,
    content: string,
    mentioned: readonly string[],
  ): Promise<void> {
    await insertComment(client, userId, submissionId, { id: commentId, content, mentioned });
    await queries.invalidateQueries({ queryKey });
  }

  async function removeComment(comment: Comment, explanation: string | null): Promise<void> {
    await deleteComment(client, comment.id, explanation);
    await queries.invalidateQueries({ queryKey });
  }

  return { addComment, removeComment };
}
