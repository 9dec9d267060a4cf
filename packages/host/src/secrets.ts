// An install's secrets: those of the environment, and those that its first start makes and keeps in `secrets.json`.

import { randomUUID } from "node:crypto";
import { access, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BootError } from "./boot-error.ts";
import type { HostConfig } from "./config.ts";
import type { DataKeys } from "./data-keys.ts";
import { newSecret } from "./keys.ts";

const shape = z.object({
  jwtSecret: z.string().min(32),
  databasePassword: z.string().min(16),
  // Folders that were made before the data key was a key of its own have none, and so have those with DATA_KEY.
  dataKey: z.string().min(32).optional(),
});

/** Secrets of an install, created once and kept in its data folder. */
export type Secrets = z.infer<typeof shape>;

/** The secrets a host and the commands over its database work with. */
export interface InstallSecrets {
  /** Signs tokens, unless a signing key does. */
  jwtSecret: string;
  /** Tokens and API keys it signed are still accepted. */
  previousJwtSecret: string | undefined;
  dataKeys: DataKeys;
  /** Password of the embedded database's owner. */
  databasePassword: string;
}

type SecretSettings = Pick<
  HostConfig,
  "dataDir" | "databaseUrl" | "jwtSecret" | "previousJwtSecret" | "dataKey" | "previousDataKey"
>;

function pathOf(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

/**
 * Reads the install's own secrets; undefined when the folder has none yet.
 * @throws {BootError} when the file is damaged
 */
export async function readSecrets(dataDir: string): Promise<Secrets | undefined> {
  const path = pathOf(dataDir);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new BootError(`${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return undefined;
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new BootError(`${path} is damaged; restore it from a backup of the data folder.`);
  }
}

/**
 * Reads the install's own secrets, or creates them on the first start.
 * @param dataKey the data key of a new folder; null when the environment has it
 * @throws {BootError} when the file is damaged, or missing although the database that needs it exists.
 */
export async function loadSecrets(
  dataDir: string,
  dataKey: string | null = newSecret(),
): Promise<Secrets> {
  const kept = await readSecrets(dataDir);
  if (kept !== undefined) return kept;
  await makeSecrets(dataDir, pathOf(dataDir), dataKey);
  return await loadSecrets(dataDir, dataKey);
}

async function makeSecrets(dataDir: string, path: string, dataKey: string | null): Promise<void> {
  const hasDatabase = await access(join(dataDir, "postgres", "PG_VERSION")).then(
    () => true,
    () => false,
  );
  if (hasDatabase) {
    throw new BootError(`${path} is missing; restore it from a backup of the data folder.`);
  }
  const secrets: Secrets = {
    jwtSecret: newSecret(),
    databasePassword: newSecret(),
    ...(dataKey !== null && { dataKey }),
  };
  await writeWhole(dataDir, secrets, async (temporary) => {
    await link(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
      // Not every file system has links. Where it has, another start may have been faster, and its secrets count.
      if (error.code !== "EEXIST") await rename(temporary, path);
    });
  });
}

/** Writes the secrets to a file beside `secrets.json`, which `publish` gives its name. */
async function writeWhole(
  dataDir: string,
  secrets: Secrets,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${pathOf(dataDir)}.${randomUUID()}`;
  try {
    // Mode 711: when started as root, the database's own account must be able to enter this folder.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await writeFile(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    await publish(temporary);
  } catch (error) {
    throw new BootError(`The data folder ${dataDir} cannot be written: ${String(error)}`);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * The secrets of an install: those of the environment, else those of its data folder. A folder that was made before there
 * was a data key keeps the JWT secret as its data key from then on, because everything in its database was made with it.
 * @throws {BootError} as {@link loadSecrets}, and when it cannot be known which secret that was
 */
export async function resolveSecrets(config: SecretSettings): Promise<InstallSecrets> {
  // Hosts with folders of their own over one database have the JWT secret of the environment in common.
  const shared = config.databaseUrl === undefined ? undefined : config.jwtSecret;
  const kept = await loadSecrets(config.dataDir, config.dataKey === undefined ? shared : null);
  const jwtSecret = config.jwtSecret ?? kept.jwtSecret;
  const current = config.dataKey ?? kept.dataKey ?? (await adoptDataKey(config, kept, jwtSecret));
  return {
    jwtSecret,
    previousJwtSecret: config.previousJwtSecret,
    dataKeys: { current, previous: config.previousDataKey },
    databasePassword: kept.databasePassword,
  };
}

async function adoptDataKey(
  { dataDir, previousJwtSecret }: SecretSettings,
  kept: Secrets,
  jwtSecret: string,
): Promise<string> {
  if (previousJwtSecret !== undefined) {
    throw new BootError(
      `The data folder ${dataDir} has no data key yet. Set DATA_KEY to the JWT secret that it was made with, or start once without SUPABASE_JWT_SECRET_PREVIOUS and with that secret.`,
    );
  }
  const path = pathOf(dataDir);
  await writeWhole(dataDir, { ...kept, dataKey: jwtSecret }, async (temporary) => {
    await rename(temporary, path);
  });
  return jwtSecret;
}
