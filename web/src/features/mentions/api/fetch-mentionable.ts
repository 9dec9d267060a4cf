import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import type { Mention } from "../model/mention.ts";

const rows = z.array(z.object({ user_id: z.string(), name: z.string() }));

/** Members who may be named in the room, or without one in the feed, by the beginning of a name. Throws the database's error. */
export async function fetchMentionable(
  client: BackendClient,
  room: string | null,
  typed: string,
): Promise<readonly Mention[]> {
  const { data, error } = await client.rpc("mentionable_members", {
    ...(room === null ? {} : { room }),
    typed: searchText(typed),
  });
  if (error) throw error;
  return rows.parse(data).map(({ user_id: id, name }) => ({ id, name }));
}
