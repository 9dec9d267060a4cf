import { setTimeout as sleep } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";

/** The API's own limit, of which a longer answer is cut off without a word. */
const pageSize = 1000;

/** Reads the ids of all rows from `firstId` on, as a listener does that has joined again; what fails is read again. */
export async function readRows(
  client: SupabaseClient,
  firstId: number,
  read: Set<number>,
): Promise<void> {
  for (let from = firstId; ;) {
    const rows = client.from("posters").select("id").gte("id", from).order("id").limit(pageSize);
    const { data } = await rows;
    if (data === null) {
      await sleep(500);
      continue;
    }
    for (const { id } of data) read.add(Number(id));
    if (data.length < pageSize) return;
    from = Number(data.at(-1)?.id) + 1;
  }
}
