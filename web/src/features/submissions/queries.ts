import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { refetchQueries } from "@/lib/query-cache.ts";
import { isUuid } from "@/lib/uuid.ts";
import { fetchComments } from "./api/fetch-comments.ts";
import { fetchFirstComments } from "./api/fetch-first-comments.ts";
import { fetchSubmission } from "./api/fetch-submission.ts";
import { fetchSubmissions } from "./api/fetch-submissions.ts";
import { commentPageSize, type Comment } from "./model/comment.ts";
import { cursorAfter, feedPageSize, type Cursor, type FeedPage } from "./model/feed.ts";
import type { Submission } from "./model/submission.ts";
import type { SubmissionType } from "./model/submission-type.ts";

export type FeedData = InfiniteData<FeedPage, Cursor | null>;

/** Every key has the user id, because feeds hold the member's own likes. */
export const submissionKeys = {
  allFeeds: (userId: string) => ["submissions", userId],
  feed: (userId: string, type: SubmissionType | null) => ["submissions", userId, type],
  /** Below `allFeeds`, so that likes and live changes reach it. */
  single: (userId: string, id: string | null) => ["submissions", userId, "one", id],
  consent: (userId: string, submissionId: string) => ["submission-consent", userId, submissionId],
  /** @param seen ids and counts: a comment more or less asks again. */
  firstComments: (userId: string, seen: readonly string[]) => [
    "submission-first-comments",
    userId,
    seen,
  ],
  comments: (userId: string, submissionId: string) => ["submission-comments", userId, submissionId],
} as const;

/** True for the key of a single submission, which new submissions are not added to. */
export function isSingleKey(key: readonly unknown[]): boolean {
  return key[2] === "one";
}

/** The feed of one type or of all, newest first, page by page. */
export function useFeed(type: SubmissionType | null) {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: submissionKeys.feed(userId, type),
    queryFn: async ({ pageParam }): Promise<FeedPage> => {
      const submissions = await fetchSubmissions(client, type, pageParam);
      return { submissions, next: cursorAfter(submissions, feedPageSize) };
    },
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => page.next,
    enabled: userId !== "",
    retry: 2,
  });
}

/** One submission, cached in the shape of a feed. An id of another form is not found without a request. */
export function useSingleSubmission(id: string | null) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: submissionKeys.single(userId, id),
    queryFn: async (): Promise<FeedData> => {
      const found = isUuid(id) ? await fetchSubmission(client, id) : null;
      const page = { submissions: found === null ? [] : [found], next: null };
      return { pages: [page], pageParams: [null] };
    },
    enabled: userId !== "" && id !== null,
    retry: 2,
  });
}

/** How many submissions one request may name. */
const firstCommentsBatch = 100;

/** The first comment of each submission that has one. Empty while unknown: the submissions are shown without. */
export function useFirstComments(submissions: readonly Submission[]): ReadonlyMap<string, Comment> {
  const { client } = useBackend();
  const userId = useUserId();
  const commented = submissions.filter(({ commentCount }) => commentCount > 0);
  const { data } = useQuery({
    queryKey: submissionKeys.firstComments(
      userId,
      commented.map(({ id, commentCount }) => `${id} ${commentCount}`),
    ),
    queryFn: async () => {
      const found = new Map<string, Comment>();
      for (let at = 0; at < commented.length; at += firstCommentsBatch) {
        const ids = commented.slice(at, at + firstCommentsBatch).map(({ id }) => id);
        for (const [id, comment] of await fetchFirstComments(client, ids)) found.set(id, comment);
      }
      return found;
    },
    enabled: userId !== "" && commented.length > 0,
    placeholderData: keepPreviousData,
    retry: 2,
  });
  return data ?? noComments;
}

const noComments: ReadonlyMap<string, Comment> = new Map();

/** The comments of a submission, fetched again whenever their live count changes. */
export function useComments({ id, commentCount }: Submission) {
  const { client } = useBackend();
  const userId = useUserId();
  const queries = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: submissionKeys.comments(userId, id),
    queryFn: ({ pageParam }) => fetchComments(client, id, pageParam),
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => cursorAfter(page, commentPageSize),
    enabled: userId !== "",
    retry: 2,
  });
  const seenCount = useRef(commentCount);
  useEffect(() => {
    if (seenCount.current === commentCount) return;
    seenCount.current = commentCount;
    refetchQueries(queries, submissionKeys.comments(userId, id));
  }, [commentCount, id, queries, userId]);
  return query;
}
