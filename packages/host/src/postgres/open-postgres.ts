import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { BootError, type HostConfig } from "../config.ts";
import { assertRolesConnect, openAuthPool } from "./auth-pool.ts";
import { assertUsable, connectOwner, prepareDatabase, rolePassword } from "./bootstrap.ts";
import { openDatabase, type Database } from "./database.ts";
import { findEmbeddedPostgres, isStarted, startEmbeddedPostgres } from "./embedded.ts";
import { loadSecrets } from "../secrets.ts";
import { applyMigrations } from "./migrate.ts";
import {
  assertLetters,
  assertSchemaHistory,
  readSchemaSources,
  recordSchemaHistory,
} from "./schema-history.ts";

/** Advisory lock a host holds while it runs over an embedded database: a data folder serves one host at a time. */
const folderLockKey = 4_710_330;

/** A killed host's connection may hold the lock a moment longer than the host lives. */
const folderWaitMs = 2000;
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
  close: () => Promise<void>;
}

/** Another host runs over the data folder, and only that host may stop its database. */
export class FolderInUseError extends BootError {}

/**
 * Takes the lock of a data folder for the time of the connection.
 * @throws {FolderInUseError} when a host runs over the folder
 */
export async function holdFolder(owner: pg.Client, dataDir: string): Promise<void> {
  const deadline = performance.now() + folderWaitMs;
  for (;;) {
    const { rows } = await owner.query<{ held: boolean }>(
      "select pg_try_advisory_lock($1) as held",
      [folderLockKey],
    );
    if (rows[0]?.held === true) return;
    if (performance.now() > deadline) {
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
 * @throws {BootError}; a server started by this call is stopped again
 */
export async function openPostgres(
  config: HostConfig,
  secrets: { jwtSecret: string; databasePassword: string },
  migrationsFolder: string,
): Promise<OpenPostgres> {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres(join(config.dataDir, "postgres"), secrets.databasePassword)
      : undefined;
  const url = embedded?.url ?? config.databaseUrl ?? "";
  const owner = await connectOwner(url);
  // The connection only holds the folder lock; losing it must not end the process.
  owner.on("error", () => undefined);
  let ownsServer = embedded === undefined;
  try {
    if (embedded) {
      await holdFolder(owner, config.dataDir);
      ownsServer = true;
    }
    if (!embedded) await assertUsable(owner, migrationsFolder);
    const sources = await readSchemaSources(migrationsFolder);
    const databaseLabel = embedded
      ? `The data folder ${config.dataDir}`
      : "The database of DATABASE_URL";
    if (embedded) await assertLetters(owner, databaseLabel);
    await assertSchemaHistory(owner, sources, databaseLabel);
    await prepareDatabase(owner, secrets.jwtSecret);
    if (!embedded) await assertRolesConnect(url, secrets.jwtSecret);
    const applied = await applyMigrations(owner, migrationsFolder);
    await recordSchemaHistory(owner, sources);
    const limits = config.limits.database;
    const db = openDatabase(url, rolePassword(secrets.jwtSecret, "authenticator"), limits);
    const authPool = openAuthPool(url, secrets.jwtSecret, limits);
    return {
      db,
      authPool,
      isNew: embedded?.isNew ?? false,
      applied,
      close: async () => {
        const pools = Promise.all([db.close(), authPool.end()]);
        await Promise.race([pools, sleep(poolCloseMs, undefined, { ref: false })]);
        await owner.end().catch(() => undefined);
        await embedded?.stop();
      },
    };
  } catch (error) {
    await owner.end().catch(() => undefined);
    if (ownsServer) await embedded?.stop();
    throw error;
  }
}
