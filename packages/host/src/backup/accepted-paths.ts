// Lists what may be in a data folder, so that a restore writes nothing else from an archive.

import { isServerConfiguration } from "../postgres/server-configuration.ts";

/** What the host itself keeps in a data folder. */
const hostNames: ReadonlySet<string> = new Set(["postgres", "storage", "secrets.json"]);

/** What PostgreSQL keeps at the top of its folder, apart from its configuration and the files that start a recovery or a standby. */
const postgresNames: ReadonlySet<string> = new Set([
  "PG_VERSION",
  "backup_label",
  "base",
  "current_logfiles",
  "global",
  "log",
  "pg_commit_ts",
  "pg_dynshmem",
  "pg_logical",
  "pg_multixact",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_tblspc",
  "pg_twophase",
  "pg_wal",
  "pg_xact",
]);

/**
 * What a restore does with an entry: it writes what belongs to a data folder, replaces PostgreSQL's configuration with its own, and
 * leaves out everything else, such as `recovery.signal` or a file that an operator put there.
 * @param otherNames what the embedding program keeps at the top of the data folder
 */
export function restoreActionFor(
  path: string,
  otherNames: readonly string[],
): "write" | "replace" | "leave out" {
  const [top = "", name] = path.split("/");
  if (top === "postgres" && name !== undefined) {
    if (postgresNames.has(name)) return "write";
    return isServerConfiguration(name) ? "replace" : "leave out";
  }
  return hostNames.has(top) || otherNames.includes(top) ? "write" : "leave out";
}
