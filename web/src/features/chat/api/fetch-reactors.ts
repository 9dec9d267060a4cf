import type { BackendClient } from "@/lib/backend-client.ts";
import { toReaction, type Reaction } from "../model/reactions.ts";
import { authorFrom } from "./message-row.ts";

/** One like or reaction, and whose it is. */
export interface Reactor {
  readonly kind: Reaction | "like";
  readonly id: string;
  readonly name: string;
}

/** Reads who liked a message or reacted to it, first ones first. Throws the database's error. */
export async function fetchReactors(
  client: BackendClient,
  messageId: string,
): Promise<readonly Reactor[]> {
  const { data, error } = await client.rpc("message_reactors", { message_id: messageId });
  if (error) throw error;
  return data.flatMap((row) => {
    const kind = row.reaction === "like" ? "like" : toReaction(row.reaction);
    return kind === null
      ? []
      : [{ kind, id: row.user_id, name: authorFrom(row.user_id, row).name }];
  });
}
