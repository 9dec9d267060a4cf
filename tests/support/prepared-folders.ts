import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { leaveNoFolder } from "../../tools/leave-nothing.mjs";

const run = promisify(execFile);

/**
 * What a prepared data folder holds: the product with its library, the product's schema alone, the fixture project, or the
 * host's own schema alone.
 */
export type PreparedKind = "product" | "schema" | "fixture" | "host";

/** A run tells the processes it starts where its prepared folders are. */
const variableOf = (kind: PreparedKind) => `PREPARED_${kind.toUpperCase()}_FOLDER`;

/** `npm test` names a folder of its own: what its first suite prepared is there for the next one. */
const keptVariable = "PREPARED_FOLDERS";

/** A host that has just been started over an empty folder. */
interface StartedOnce {
  databaseUrl: string;
  /** Stops the host and leaves its data folder. */
  stop: () => Promise<void>;
}

/** No power cut comes into a test, and a killed server loses nothing that the operating system has. */
const fasterSettings = "fsync = off\nfull_page_writes = off\n";

/**
 * Makes one data folder for the whole run. Hosts of the tests start over copies of it, because a new database takes many
 * times as long as a copied one. Within `npm test` the suites share it.
 * @param start starts a host over a data folder that does not exist yet
 * @returns removes the folder, unless `npm test` will
 */
export async function prepareFolder(
  kind: PreparedKind,
  start: (dataDir: string) => Promise<StartedOnce>,
): Promise<() => Promise<void>> {
  const { [keptVariable]: keptIn } = process.env;
  const kept = keptIn === undefined ? undefined : join(keptIn, kind);
  if (kept !== undefined && existsSync(kept)) {
    process.env[variableOf(kind)] = join(kept, "data");
    return async () => await Promise.resolve(forget(kind));
  }
  const folder = await mkdtemp(join(tmpdir(), `prepared-${kind}-`));
  leaveNoFolder(folder);
  const remove = async () => {
    forget(kind);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const dataDir = join(folder, "data");
    const { databaseUrl, stop } = await start(dataDir);
    try {
      await forgetAddress(databaseUrl);
    } finally {
      await stop();
    }
    await appendFile(join(dataDir, "postgres", "postgresql.auto.conf"), fasterSettings);
    // It gets its name there once it is whole.
    if (kept !== undefined) await rename(folder, kept);
    process.env[variableOf(kind)] = join(kept ?? folder, "data");
    return remove;
  } catch (error) {
    await remove();
    throw error;
  }
}

function forget(kind: PreparedKind): void {
  Reflect.deleteProperty(process.env, variableOf(kind));
}

/** The copies accept tokens of their own address only, as a new database does. */
async function forgetAddress(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("delete from host.issuers");
  } finally {
    await client.end();
  }
}

/** Copies the folder that this run prepared, if it did, to a path where nothing is yet. Ownership and modes stay. */
export async function copyPrepared(kind: PreparedKind, dataDir: string): Promise<void> {
  const prepared = process.env[variableOf(kind)];
  if (prepared === undefined || existsSync(dataDir)) return;
  await run("cp", ["-a", prepared, dataDir]);
}
