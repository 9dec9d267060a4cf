import { join } from "node:path";
import type pg from "pg";
import { BootError, type HostConfig } from "../config.ts";
import { authenticatorPassword, connectOwner, prepareDatabase } from "./bootstrap.ts";
import { openDatabase, type Database } from "./database.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { applyMigrations } from "./migrate.ts";

/** Held for the life of a host over an embedded database: a data folder serves one host at a time. */
const FOLDER_LOCK = 4_710_330;

/** A prepared, migrated and open database. */
export interface OpenPostgres {
  db: Database;
  /** True when this start made the database. */
  isNew: boolean;
  /** Migrations this start applied. */
  applied: string[];
  close: () => Promise<void>;
}

/** Another host runs over the data folder; its database answers, and only that host may stop it. */
export class FolderInUse extends BootError {}

async function holdFolder(owner: pg.Client, dataDir: string): Promise<void> {
  const { rows } = await owner.query<{ held: boolean }>("select pg_try_advisory_lock($1) as held", [
    FOLDER_LOCK,
  ]);
  if (rows[0]?.held !== true) {
    throw new FolderInUse(`Another host is already running over the data folder ${dataDir}.`);
  }
}

/**
 * Opens the database the configuration names, embedded or external, and brings it up to date.
 * @throws {BootError}; whatever this call started is stopped again.
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
  // The connection carries nothing but the folder lock; losing it must not end the process.
  owner.on("error", () => undefined);
  let ours = embedded === undefined;
  try {
    if (embedded) {
      await holdFolder(owner, config.dataDir);
      ours = true;
    }
    await prepareDatabase(owner, secrets.jwtSecret);
    const applied = await applyMigrations(owner, migrationsFolder);
    const db = openDatabase(url, authenticatorPassword(secrets.jwtSecret), config.limits.database);
    return {
      db,
      isNew: embedded?.isNew ?? false,
      applied,
      close: async () => {
        await db.close();
        await owner.end().catch(() => undefined);
        await embedded?.stop();
      },
    };
  } catch (error) {
    await owner.end().catch(() => undefined);
    if (ours) await embedded?.stop();
    throw error;
  }
}
