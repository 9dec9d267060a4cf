import { useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { patchQueries, refetchQueries } from "@/lib/query-cache.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { fetchSubmission } from "./api/fetch-submission.ts";
import { withChanged, mergeSubmissionFields, withNew, withoutOne } from "./model/feed.ts";
import { toSubmissionFields } from "./model/submission.ts";
import { toSubmissionType } from "./model/submission-type.ts";
import { isSingleKey, submissionKeys, type FeedData } from "./queries.ts";

/** Applies live changes to every cached feed of the member. */
export function useLiveFeed(): void {
  const { client } = useBackend();
  const queries = useQueryClient();
  const userId = useUserId();
  useEffect(() => {
    if (userId === "") return undefined;
    const allFeeds = submissionKeys.allFeeds(userId);
    const deleted = new Set<string>();

    function change(update: (feed: FeedData, key: QueryKey) => FeedData): void {
      patchQueries<FeedData>(queries, allFeeds, update);
    }

    /** A live row has no author, so a new submission is fetched. */
    async function add(id: string): Promise<void> {
      const submission = await fetchSubmission(client, id);
      if (submission === null || deleted.has(id)) return;
      change((feed, key) =>
        isSingleKey(key) ? feed : withNew(feed, submission, toSubmissionType(key[2])),
      );
    }

    return watchRows(client, {
      table: "learning_submissions",
      events: ["INSERT", "UPDATE", "DELETE"],
      onJoined: () => refetchQueries(queries, allFeeds),
      onChange: ({ kind, row }) => {
        const id = idOf(row);
        if (id === null) return;
        if (kind === "DELETE") {
          deleted.add(id);
          change((feed) => withoutOne(feed, id));
        } else if (kind === "INSERT") {
          add(id).catch(() => refetchQueries(queries, allFeeds));
        } else {
          const fields = toSubmissionFields(row);
          if (fields === null) refetchQueries(queries, allFeeds);
          else
            change((feed) =>
              withChanged(feed, id, (before) => mergeSubmissionFields(before, fields)),
            );
        }
      },
    });
  }, [client, queries, userId]);
}

function idOf(row: unknown): string | null {
  if (typeof row !== "object" || row === null || !("id" in row)) return null;
  return typeof row.id === "string" ? row.id : null;
}
