import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** A draft and the version that the person saw. */
export interface SeenDraft {
  readonly id: string;
  readonly version: number;
}

/** What brings a draft towards its members, now or at a time. */
type HandOver = "submit" | "publish";

const handedOver = z.enum(["submitted", "scheduled", "published"]);
export type HandedOver = z.infer<typeof handedOver>;

/** What is done to a draft. */
export type DraftAction = HandOver | "recall" | "withdraw" | "archive" | "unarchive";

/** Moves a draft to its next state. Throws the database's error. */
export async function moveDraft(
  client: BackendClient,
  act: Exclude<DraftAction, HandOver>,
  { id, version }: SeenDraft,
): Promise<void> {
  const seen = { draft_id: id, expected_version: version };
  const { error } = await (act === "recall"
    ? client.rpc("recall_draft", seen)
    : act === "withdraw"
      ? client.rpc("withdraw_draft", seen)
      : client.rpc("archive_draft", { ...seen, archived: act === "archive" }));
  if (error) throw error;
}

/**
 * Submits a draft, or publishes a submitted one, at a time in epoch milliseconds if there is one; the new status.
 * Throws the database's error.
 */
export async function handDraftOver(
  client: BackendClient,
  act: HandOver,
  { id, version }: SeenDraft,
  publishAt: number | null,
): Promise<HandedOver> {
  const { data, error } = await client.rpc(act === "submit" ? "submit_draft" : "publish_draft", {
    draft_id: id,
    expected_version: version,
    ...(publishAt === null ? {} : { publish_at: new Date(publishAt).toISOString() }),
  });
  if (error) throw error;
  return handedOver.parse(data);
}

/** What a reviewer writes about a draft. */
export interface ReviewComment {
  /** The words it is about; empty for the whole. */
  readonly quote: string;
  readonly comment: string;
}

/** Sends a submitted draft back. Throws the database's error. */
export async function sendDraftBack(
  client: BackendClient,
  { id, version }: SeenDraft,
  comments: readonly ReviewComment[],
): Promise<void> {
  const { error } = await client.rpc("return_draft", {
    draft_id: id,
    expected_version: version,
    comments: comments.map(({ quote, comment }) => ({ quote, comment })),
  });
  if (error) throw error;
}

/** Deletes all but the last version of each day of one's draft; how many. Throws the database's error. */
export async function keepDailyVersions(client: BackendClient, draftId: string): Promise<number> {
  const { data, error } = await client.rpc("keep_daily_versions", { draft_id: draftId });
  if (error) throw error;
  return data;
}

/** Makes an earlier version the newest one. Throws the database's error. */
export async function restoreVersion(
  client: BackendClient,
  { id, version: expectedVersion }: SeenDraft,
  version: number,
): Promise<void> {
  const { error } = await client.rpc("restore_draft_version", {
    draft_id: id,
    version,
    expected_version: expectedVersion,
  });
  if (error) throw error;
}
