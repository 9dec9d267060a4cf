// Brings up a host's database: starts or reaches PostgreSQL, locks the data folder, migrates and opens the pools.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { BootError } from "../boot-error.ts";
import type { HostConfig } from "../config.ts";
import { assertRolesConnect, openAuthPool } from "./auth-pool.ts";
import { assertUsable, connectOwner, prepareDatabase, rolePassword } from "./bootstrap.ts";
import { openDatabase, type Database, type DatabaseAddresses, type Queryable } from "./database.ts";
import { findEmbeddedPostgres, isStarted, startEmbeddedPostgres } from "./embedded.ts";
import { assertNoPool, checkPool } from "./pooler.ts";
import { loadSecrets, type InstallSecrets } from "../secrets.ts";
import { applyMigrations } from "./migrate.ts";
import {
  assertUnicodeLocale,
  assertSchemaHistory,
  placeOf,
  readSchemaSources,
  recordSchemaHistory,
  withSchemaLock,
} from "./schema-history.ts";
import { watchServer, type ServerWatch } from "./watch-server.ts";

/** Advisory lock a host holds while it runs over an embedded database: a data folder serves one host at a time. */
const folderLockKey = 4_710_330;

/** A killed host's connection may hold the lock a moment longer than the host lives. */
const folderWaitMs = 5000;
/** After this time PostgreSQL notices in the middle of a statement, such as one of a long migration, that its host was killed. */
const connectionCheckMs = 1000;
const folderPollMs = 100;
/** Queries that still run after this time are cut off when the database stops. */
const poolCloseMs = 1500;

/** A prepared, migrated and open database. */
export interface OpenPostgres {
  db: Database;
  /** The auth service's own pool, as `supabase_auth_admin`. */
  authPool: pg.Pool;
  /** True when this start created the database. */
  isNew: boolean;
  /** Versions of the migrations that this start applied. */
  applied: string[];
  /** Whether the server still answers. */
  watch: ServerWatch;
  close: () => Promise<void>;
}

/** Another host runs over the data folder, and only that host may stop its database. */
export class FolderInUseError extends BootError {}

/** By this name the connection that holds a folder says that it belongs to a host. */
const hostName = "basehost";

/** Who takes a folder: a host, a command that can also work beside a host, or one that needs the folder for itself. */
type FolderHolder = "host" | "beside-host" | "alone";

async function isHeldByHost(owner: Queryable): Promise<boolean> {
  const { rows } = await owner.query<{ held: boolean }>(
    `select exists (
       select from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.objid = $1 and l.granted and a.application_name = $2
     ) as held`,
    [folderLockKey, hostName],
  );
  return rows[0]?.held === true;
}

/**
 * Takes the lock of a data folder for the time of the connection.
 * @param holder a command that can work beside a host does not wait for one
 * @throws {FolderInUseError} when a host runs over the folder
 */
export async function holdFolder(
  owner: Queryable,
  dataDir: string,
  holder: FolderHolder = "alone",
): Promise<void> {
  const deadline = performance.now() + folderWaitMs;
  for (;;) {
    const { rows } = await owner.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1) as held",
      [folderLockKey],
    );
    if (rows[0]?.held === true) {
      if (holder === "host") await owner.query(`set application_name = ${hostName}`);
      return;
    }
    if (performance.now() > deadline || (holder === "beside-host" && (await isHeldByHost(owner)))) {
      throw new FolderInUseError(
        `Another host is already running over the data folder ${dataDir}.`,
      );
    }
    await sleep(folderPollMs);
  }
}

/**
 * Stops the database that a killed host left running over `dataDir`. A database that another host uses is not stopped.
 * @returns true when the folder is free now
 */
export async function stopOrphanedDatabase(dataDir: string): Promise<boolean> {
  const folder = join(dataDir, "postgres");
  // Without a pid file no server runs, and there may be no secrets to read.
  if (!(await isStarted(folder))) return true;
  const { databasePassword } = await loadSecrets(dataDir);
  const running = await findEmbeddedPostgres(folder, databasePassword);
  if (running === undefined) return true;
  const owner = await connectOwner(running.url);
  owner.on("error", () => undefined);
  try {
    await holdFolder(owner, dataDir);
    await running.stop();
    return true;
  } catch (error) {
    if (error instanceof FolderInUseError) return false;
    throw error;
  } finally {
    await owner.end().catch(() => undefined);
  }
}

/**
 * Opens the configured database, embedded or external, and brings it up to date.
 * @param holder as for {@link holdFolder}
 * @param log names each migration that is applied
 * @throws {BootError}; a server started by this call is stopped again
 */
export async function openPostgres(
  config: HostConfig,
  secrets: Pick<InstallSecrets, "dataKeys" | "databasePassword">,
  migrationsFolder: string,
  holder: FolderHolder = "host",
  log?: Logger,
): Promise<OpenPostgres> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres(
          join(config.dataDir, "postgres"),
          secrets.databasePassword,
          config.serverMemory,
        )
      : undefined;
  const url = embedded?.url ?? config.databaseUrl ?? "";
  const { databasePoolUrl: poolUrl } = config;
  const dataKey = secrets.dataKeys.current;
  const owner = await connectOwner(url);
  // Losing the connection must not end the process: `watchServer` sees to it.
  owner.on("error", () => undefined);
  let ownsServer = embedded === undefined;
  try {
    // Not every operating system can tell; there a killed host is noticed after the statement.
    await owner
      .query(`set client_connection_check_interval = ${connectionCheckMs}`)
      .catch(() => undefined);
    if (embedded) {
      await holdFolder(owner, config.dataDir, holder);
      ownsServer = true;
    }
    if (!embedded) await assertNoPool(owner, poolUrl !== undefined);
    const keepsStatements =
      poolUrl === undefined || (await checkPool(poolUrl, owner, config.poolKeepsStatements));
    const sources = await readSchemaSources(migrationsFolder);
    const applied = await withSchemaLock(owner, async () => {
      if (embedded) await assertUnicodeLocale(owner, placeOf(config));
      else await assertUsable(owner, migrationsFolder);
      await assertSchemaHistory(owner, sources, placeOf(config));
      await prepareDatabase(owner, secrets.dataKeys);
      if (!embedded) await assertRolesConnect(url, dataKey);
      const versions = await applyMigrations(owner, migrationsFolder, (migration, ms) =>
        log?.info({ migration, ms }, "migration applied"),
      );
      await recordSchemaHistory(owner, sources);
      return versions;
    });
    if (poolUrl !== undefined) await assertRolesConnect(poolUrl, dataKey, true);
    const limits = config.limits.database;
    const addresses: DatabaseAddresses = {
      url,
      requestUrl: poolUrl ?? url,
      keepsStatements,
      replicaUrl: config.databaseReplicaUrl,
    };
    const db = openDatabase(addresses, rolePassword(dataKey, "authenticator"), limits, log);
    const authPool = openAuthPool(addresses, dataKey, limits);
    const watch = watchServer(owner, {
      ...(embedded && { isRunning: embedded.isRunning }),
      reconnect: async () => {
        const next = await connectOwner(url);
        next.on("error", () => undefined);
        try {
          if (embedded) await holdFolder(next, config.dataDir, holder);
          return next;
        } catch (error) {
          await next.end().catch(() => undefined);
          throw error;
        }
      },
    });
    return {
      db,
      authPool,
      isNew: embedded?.isNew ?? false,
      applied,
      watch,
      close: async () => {
        const pools = Promise.all([db.close(), authPool.end()]);
        await Promise.race([pools, sleep(poolCloseMs, undefined, { ref: false })]);
        await watch.stop();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await owner.end().catch(() => undefined);
    if (ownsServer) await embedded?.stop();
    throw error;
  }
}
