import {
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryKey,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { patchQueries, refetchQueries } from "@/lib/query-cache.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { selectSubmission } from "./api/select-submission.ts";
import { selectSubmissions } from "./api/select-submissions.ts";
import {
  cursorAfter,
  feedPageSize,
  withChanged,
  withFields,
  withNew,
  withoutOne,
  type Cursor,
  type FeedPage,
} from "./model/feed.ts";
import { toSubmissionFields } from "./model/submission.ts";
import { toSubmissionType, type SubmissionType } from "./model/submission-type.ts";

export type FeedData = InfiniteData<FeedPage, Cursor | null>;

/** Feeds are kept for each member, for likes are their own. */
export function feedKey(userId: string, type?: SubmissionType | null): readonly unknown[] {
  return type === undefined ? ["submissions", userId] : ["submissions", userId, type];
}

/** The feed of one type or of all, newest first, page by page. */
export function useFeed(type: SubmissionType | null) {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: feedKey(userId, type),
    queryFn: async ({ pageParam }): Promise<FeedPage> => {
      const submissions = await selectSubmissions(client, type, pageParam);
      return { submissions, next: cursorAfter(submissions, feedPageSize) };
    },
    initialPageParam: null as Cursor | null,
    getNextPageParam: (page) => page.next,
    enabled: userId !== "",
    retry: 2,
  });
}

/** Keeps every feed of the member true while one looks at one. */
export function useLiveFeed(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  useEffect(() => {
    if (userId === "") return undefined;
    const everyFeed = feedKey(userId);
    const gone = new Set<string>();

    function change(alter: (feed: FeedData, key: QueryKey) => FeedData): void {
      patchQueries<FeedData>(queries, everyFeed, alter);
    }

    /** The change tells of the row alone; its author is read once it is known to matter. */
    async function add(id: string): Promise<void> {
      const submission = await selectSubmission(client, id);
      if (submission === null || gone.has(id)) return;
      change((feed, key) => {
        /* A single submission that a link led to stays single. */
        const isSingle = key.length > feedKey(userId, null).length;
        return isSingle ? feed : withNew(feed, submission, toSubmissionType(key[2]));
      });
    }

    return watchRows(client, {
      table: "learning_submissions",
      events: ["INSERT", "UPDATE", "DELETE"],
      onJoined: () => refetchQueries(queries, everyFeed),
      onChange: ({ kind, row }) => {
        const id = idOf(row);
        if (id === null) return;
        if (kind === "DELETE") {
          gone.add(id);
          change((feed) => withoutOne(feed, id));
        } else if (kind === "INSERT") {
          add(id).catch(() => refetchQueries(queries, everyFeed));
        } else {
          const fields = toSubmissionFields(row);
          if (fields === null) refetchQueries(queries, everyFeed);
          else change((feed) => withChanged(feed, id, (before) => withFields(before, fields)));
        }
      },
    });
  }, [client, queries, userId]);
}

function idOf(row: unknown): string | null {
  if (typeof row !== "object" || row === null || !("id" in row)) return null;
  return typeof row.id === "string" ? row.id : null;
}
