// Generates an install's secrets on its first start and keeps them in `secrets.json`.

import { randomUUID } from "node:crypto";
import { access, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BootError } from "./boot-error.ts";
import { newSecret } from "./keys.ts";

const shape = z.object({ jwtSecret: z.string().min(32), databasePassword: z.string().min(16) });

/** Secrets of an install, created once and kept in its data folder. */
export type Secrets = z.infer<typeof shape>;

/**
 * Reads the install's secrets, or creates them on the first start.
 * @throws {BootError} when the file is damaged, or missing although the database that needs it exists.
 */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, "secrets.json");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new BootError(`${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return await makeSecrets(dataDir, path);
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new BootError(`${path} is damaged; restore it from a backup of the data folder.`);
  }
}

async function makeSecrets(dataDir: string, path: string): Promise<Secrets> {
  const hasDatabase = await access(join(dataDir, "postgres", "PG_VERSION")).then(
    () => true,
    () => false,
  );
  if (hasDatabase) {
    throw new BootError(`${path} is missing; restore it from a backup of the data folder.`);
  }
  const secrets = { jwtSecret: newSecret(), databasePassword: newSecret() };
  const temporary = `${path}.${randomUUID()}`;
  try {
    // Mode 711: when started as root, the database's own account must be able to enter this folder.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await writeFile(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    await link(temporary, path).catch(async (error: NodeJS.ErrnoException) => {
      // Not every file system has links. Where it has, another start may have been faster, and its secrets count.
      if (error.code !== "EEXIST") await rename(temporary, path);
    });
  } catch (error) {
    throw new BootError(`The data folder ${dataDir} cannot be written: ${String(error)}`);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  return await loadSecrets(dataDir);
}
