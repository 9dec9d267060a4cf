// Where this host's Redis is: one name for its database, one log line a minute.

import type { Logger } from "pino";
import { quietly } from "../log-quietly.ts";
import type { Database } from "../postgres/database.ts";

/** Where Redis is, and what this install's keys and channels begin with. */
export interface RedisAccess {
  url: string;
  /**
   * The same on every host over one database, as several installs may share one Redis.
   * @throws when the database can't be asked
   */
  prefix: () => Promise<string>;
  onError: (error: Error) => void;
}

/**
 * What keys and channels of a database begin with. The number is that of the format: hosts of two versions share nothing. The
 * braces keep all keys on one node of a cluster.
 */
export function prefixOf(name: string): string {
  return `{basehost:1:${name}}:`;
}

/** Redis of the hosts over a database. Does not wait for either. */
export function redisAccess(
  url: string,
  db: Pick<Database, "background">,
  logger: Logger,
): RedisAccess {
  let prefix: Promise<string> | undefined;
  const readPrefix = async () => {
    const { rows } = await db.background.query<{ name: string }>(
      `select c.system_identifier || ':' || d.oid as name
         from pg_control_system() c, pg_database d where d.datname = current_database()`,
    );
    return prefixOf(rows[0]?.name ?? "");
  };
  return {
    url,
    prefix: async () =>
      await (prefix ??= readPrefix().catch((error: unknown) => {
        prefix = undefined;
        throw error;
      })),
    onError: quietly((error) => logger.warn({ err: error }, "Redis can't be reached")),
  };
}
