import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { deleteComment } from "./api/delete-comment.ts";
import { insertComment } from "./api/insert-comment.ts";
import { selectComments } from "./api/select-comments.ts";
import { commentPageSize, type Comment } from "./model/comment.ts";
import { cursorAfter, type Cursor } from "./model/feed.ts";
import type { Submission } from "./model/submission.ts";

/**
 * What was said to a submission. Comments are read again whenever their number changes, which is
 * told live.
 */
export function useComments({ id, commentCount }: Submission) {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  const key = ["submission-comments", userId, id];
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => selectComments(client, id, pageParam),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => cursorAfter(page, commentPageSize),
    enabled: userId !== "",
    retry: 2,
  });
  const { refetch } = query;
  const seen = useRef(commentCount);
  useEffect(() => {
    if (seen.current === commentCount) return;
    seen.current = commentCount;
    void refetch();
  }, [commentCount, refetch]);

  /** Rejects when it was not said; saying it again with the same id says it once. */
  async function addComment(commentId: string, content: string): Promise<void> {
    await insertComment(client, userId, id, { id: commentId, content });
    await queries.invalidateQueries({ queryKey: key });
  }

  /** Rejects when it stayed. */
  async function removeComment(comment: Comment): Promise<void> {
    await deleteComment(client, comment.id);
    await queries.invalidateQueries({ queryKey: key });
  }

  return { ...query, addComment, removeComment };
}
