import type { BackendClient } from "@/lib/backend-client.ts";

/** Timeout of an attempt. It can be made again. */
const tellTimeoutMs = 15_000;

/** What names the members. */
export type NamingText =
  { readonly message: string } | { readonly submission: string } | { readonly comment: string };

/** Tells the members whom a text of the caller names. Repeating it tells nobody twice. Throws the database's error. */
export async function tellNamed(
  client: BackendClient,
  text: NamingText,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const members = [...ids];
  const call =
    "message" in text
      ? client.rpc("mention_members", { message: text.message, members })
      : "submission" in text
        ? client.rpc("mention_in_submission", { submission_id: text.submission, members })
        : client.rpc("mention_in_comment", { comment_id: text.comment, members });
  const { error } = await call.abortSignal(AbortSignal.timeout(tellTimeoutMs));
  if (error) throw error;
}
