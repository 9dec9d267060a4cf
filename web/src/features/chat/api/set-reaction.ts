import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import type { Reaction } from "../model/reactions.ts";

/** Gives or takes back a reaction; repeating it is no error. Throws the database's error. */
export async function setReaction(
  client: BackendClient,
  own: { readonly userId: string; readonly messageId: string; readonly reaction: Reaction },
  given: boolean,
): Promise<void> {
  const row = { user_id: own.userId, message_id: own.messageId, reaction: own.reaction };
  const table = client.from("message_reactions");
  const { error } = given ? await table.insert(row) : await table.delete().match(row);
  if (error && error.code !== uniqueViolation) throw error;
}
