import { randomUUID } from "node:crypto";
import type pg from "pg";

/** Reads what hosts write for each other in the write-ahead log from now on, once. */
export async function watchLoggedEnvelopes(
  owner: Pick<pg.Pool, "query">,
): Promise<() => Promise<string[]>> {
  const slot = `bus_${randomUUID().replaceAll("-", "")}`;
  await owner.query("select pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  return async () => {
    const { rows } = await owner.query<{ text: string }>(
      `select encode(data, 'escape') as text from pg_logical_slot_get_binary_changes($1, null, null,
         'proto_version', '1', 'publication_names', 'supabase_realtime', 'messages', 'true')
        where get_byte(data, 0) = ascii('M')`,
      [slot],
    );
    await owner.query("select pg_drop_replication_slot($1)", [slot]);
    return rows.map(({ text }) => text).filter((text) => text.includes("host-realtime"));
  };
}
