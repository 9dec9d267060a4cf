import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const answer = z.nullable(z.string());

/** Reads which room the member has not opened yet; null when there is none. Throws the database's error. */
export async function fetchNextRoom(client: BackendClient): Promise<string | null> {
  const { data, error } = await client.rpc("my_next_room");
  if (error) throw error;
  return answer.parse(data);
}
