import type { HostConfig } from "basehost";
import type { Queryable } from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";

/** Connections of a host besides its pools: the watch over the server, and realtime's stream, notifications and probe. */
const besidePools = 4;

interface Room {
  /** Connections the server still takes from a login like this one. */
  connections: number;
  slots: number;
  senders: number;
  /** Megabytes a slot may keep; -1 for all. */
  slotLimit: number;
  /** Slots nobody reads; each keeps write-ahead log. */
  idle: string[];
}

const roomSql = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots) as slots,
    current_setting('max_wal_senders')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'walsender') as senders,
    (select setting::int from pg_settings where name = 'max_slot_wal_keep_size') as "slotLimit",
    (select coalesce(array_agg(slot_name::text order by slot_name), '{}') from pg_replication_slots where not active) as idle`;

/** How many more hosts the server of DATABASE_URL has room for, and what could fill its disk. */
export async function checkServerRoom(
  db: Queryable,
  { limits }: Pick<HostConfig, "limits">,
): Promise<CheckAnswer> {
  const { rows } = await db.query<Room>(roomSql);
  const [room] = rows;
  if (room === undefined) throw new Error("the server does not say what room it has");
  const pools = Object.values(limits.database.connections).reduce((sum, count) => sum + count, 0);
  const hosts = Math.max(
    0,
    Math.min(Math.floor(room.connections / (pools + besidePools)), room.slots, room.senders),
  );
  const text =
    `room for ${hosts} more ${hosts === 1 ? "host" : "hosts"} with ${pools + besidePools} connections each ` +
    `(free: ${room.connections} connections, ${room.slots} slots, ${room.senders} senders)`;
  const doubts = [
    ...(hosts === 0 ? ["a host that starts now finds too little: raise max_connections"] : []),
    ...(room.slotLimit === -1
      ? [
          "max_slot_wal_keep_size is -1, so a slot that nobody reads fills the disk: alter system set max_slot_wal_keep_size = '4GB'; select pg_reload_conf();",
        ]
      : []),
    ...(room.idle.length > 0 ? [`nobody reads the slots ${room.idle.join(", ")}`] : []),
  ];
  return doubts.length === 0 ? text : { warning: [text, ...doubts].join("; ") };
}
