import type { BackendClient } from "@/lib/backend-client.ts";

/** A draft and the version that the person saw. */
export interface SeenDraft {
  readonly id: string;
  readonly version: number;
}

/** What is done to a draft with nothing but its version. */
export type DraftAct = "submit" | "recall" | "withdraw" | "archive" | "unarchive" | "publish";

/** Moves a draft to its next state. Throws the database's error. */
export async function moveDraft(
  client: BackendClient,
  act: DraftAct,
  { id, version }: SeenDraft,
): Promise<void> {
  const seen = { draft_id: id, expected_version: version };
  const { error } = await (act === "submit"
    ? client.rpc("submit_draft", seen)
    : act === "recall"
      ? client.rpc("recall_draft", seen)
      : act === "withdraw"
        ? client.rpc("withdraw_draft", seen)
        : act === "publish"
          ? client.rpc("publish_draft", seen)
          : client.rpc("archive_draft", { ...seen, archived: act === "archive" }));
  if (error) throw error;
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
