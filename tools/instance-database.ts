import { access } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { BootError, type HostConfig } from "basehost";
import {
  FolderInUseError,
  openPostgres,
  resolveSecrets,
  startEmbeddedPostgres,
} from "basehost/database";

/**
 * Runs `work` on the install's database as its owner, whether a host is running over it or not.
 * @throws {BootError} when there is no install yet.
 */
export async function withInstanceDatabase<T>(
  config: HostConfig,
  migrations: string,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const folder = join(config.dataDir, "postgres");
  if (config.databaseUrl === undefined) {
    await access(join(folder, "PG_VERSION")).catch(() => {
      throw new BootError(
        `There is no install in ${config.dataDir} yet; run npm start once first.`,
      );
    });
  }
  const secrets = await resolveSecrets(config);
  try {
    const { db, close } = await openPostgres(config, secrets, migrations, "beside-host");
    try {
      return await work(db.admin);
    } finally {
      await close();
    }
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error;
    // A host is running over the database: connect to it, and leave it running.
    const { url } = await startEmbeddedPostgres(
      folder,
      secrets.databasePassword,
      config.serverMemory,
    );
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }
}
