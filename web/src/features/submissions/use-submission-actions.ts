import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { patchQueries } from "@/lib/query-cache.ts";
import { deleteSubmission } from "./api/delete-submission.ts";
import { featureSubmission } from "./api/feature-submission.ts";
import { likeSubmission } from "./api/like-submission.ts";
import { withChanged, withLike, withoutOne } from "./model/feed.ts";
import type { Submission } from "./model/submission.ts";
import { feedKey, type FeedData } from "./use-feed.ts";

/** What one can do to a submission. Everything shows at once, and is undone when it failed. */
export function useSubmissionActions(submission: Submission) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const lastLike = useRef<Promise<void>>(Promise.resolve());

  function change(alter: (before: Submission) => Submission): void {
    patchQueries<FeedData>(queries, feedKey(userId), (feed) =>
      withChanged(feed, submission.id, alter),
    );
  }

  /** Rejects when it did not work; the like is as before then. */
  async function like(liked: boolean): Promise<void> {
    change((before) => withLike(before, liked));
    /* One after the other: of two quick presses the second must also arrive second. */
    const sent = lastLike.current.then(() => likeSubmission(client, userId, submission.id, liked));
    lastLike.current = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      change((before) => withLike(before, !liked));
      throw error;
    }
  }

  /** Rejects when it did not work; the mark is as before then. */
  async function feature(featured: boolean): Promise<void> {
    change((before) => ({ ...before, featured }));
    try {
      await featureSubmission(client, submission.id, featured);
    } catch (error) {
      change((before) => ({ ...before, featured: !featured }));
      throw error;
    }
  }

  /** Rejects when it did not work; the submission stays then. */
  async function remove(): Promise<void> {
    await deleteSubmission(client, submission.id);
    patchQueries<FeedData>(queries, feedKey(userId), (feed) => withoutOne(feed, submission.id));
  }

  return { like, feature, remove };
}
