import type { HostConfig } from "basehost";
import { directPools, type Queryable } from "basehost/database";
import type { CheckAnswer } from "./check-answer.ts";

/** Connections of a host besides its pools: the watch over the server, and three that listen to notifications and the log. */
const besidePools = 4;
/** Logins by which a host uses a pool: its own, authenticator and supabase_auth_admin. */
const poolLogins = 3;

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
      - coalesce(current_setting('reserved_connections', true)::int, 0)
      - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
    current_setting('max_replication_slots')::int - (select count(*)::int from pg_replication_slots) as slots,
    current_setting('max_wal_senders')::int
      - (select count(*)::int from pg_stat_activity where backend_type = 'walsender') as senders,
    (select setting::int from pg_settings where name = 'max_slot_wal_keep_size') as "slotLimit",
    (select coalesce(array_agg(slot_name::text order by slot_name), '{}') from pg_replication_slots where not active) as idle`;

/** Connections one host may open to the server itself; with a pool in front, those of requests are the pool's. */
export function connectionsOfHost(
  connections: HostConfig["limits"]["database"]["connections"],
  hasPool: boolean,
): number {
  const counted = hasPool
    ? directPools.map((name) => connections[name])
    : Object.values(connections);
  return counted.reduce((sum, count) => sum + count, besidePools);
}

/** How many more hosts the server of DATABASE_URL has room for, and what could fill its disk. */
export async function checkServerRoom(
  db: Queryable,
  { limits, databasePoolUrl }: Pick<HostConfig, "limits" | "databasePoolUrl">,
): Promise<CheckAnswer> {
  const { rows } = await db.query<Room>(roomSql);
  const [room] = rows;
  if (room === undefined) throw new Error("the server does not say what room it has");
  const hasPool = databasePoolUrl !== undefined;
  const each = connectionsOfHost(limits.database.connections, hasPool);
  const hosts = Math.max(
    0,
    Math.min(Math.floor(room.connections / each), room.slots, room.senders),
  );
  const text =
    `room for ${hosts} more ${hosts === 1 ? "host" : "hosts"} with ${each} ${hasPool ? "direct connections" : "connections"} each ` +
    `(free: ${room.connections} connections, ${room.slots} slots, ${room.senders} senders)` +
    (hasPool
      ? `; what the pool opens comes to that, up to its default_pool_size for each of ${poolLogins} logins`
      : "");
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
