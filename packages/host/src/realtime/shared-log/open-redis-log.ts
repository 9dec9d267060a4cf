import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import { RedisLog } from "./redis-log.ts";
import type { SharedLog } from "./shared-log.ts";

/** A repeated error is logged at most once in this time. */
const quietMs = 60_000;

/** Opens the shared log of a database. Does not wait for Redis. */
export function openRedisLog(
  url: string,
  db: Pick<Database, "background">,
  logger: Logger,
): SharedLog {
  let name: Promise<string> | undefined;
  let toldAt = -Infinity;
  const readName = async () => {
    const { rows } = await db.background.query<{ name: string }>(
      `select c.system_identifier || ':' || d.oid as name
         from pg_control_system() c, pg_database d where d.datname = current_database()`,
    );
    return rows[0]?.name ?? "";
  };
  return new RedisLog(
    url,
    async () =>
      await (name ??= readName().catch((error: unknown) => {
        name = undefined;
        throw error;
      })),
    (error) => {
      if (performance.now() - toldAt < quietMs) return;
      toldAt = performance.now();
      logger.warn({ err: error }, "Redis can't be reached");
    },
  );
}
