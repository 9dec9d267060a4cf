import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { BootError } from "basehost";

/** Values to write into a `.env` file; undefined removes the line. */
export type EnvChanges = Readonly<Record<string, string | undefined>>;

/** Replaces a file at once, so that a stop in the middle leaves the old one, and keeps its mode. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const { mode } = await stat(path);
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, text, { mode: mode & 0o777, flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    throw new BootError(`${path} cannot be written: ${(error as Error).message}`);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Reads a file that a command is to change.
 * @throws {BootError}
 */
export async function readWhole(path: string): Promise<string> {
  return await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new BootError(`${path} cannot be read: ${error.message}`);
  });
}

/** The values of a `.env` file; an empty value counts as unset. */
export async function readEnvFile(path: string): Promise<Record<string, string | undefined>> {
  const values = parseEnv(await readWhole(path));
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value?.trim() !== ""));
}

/** Sets values in a `.env` text. Comments and all other lines stay; the last of several lines of a name counts, so all go. */
export function withChanges(text: string, changes: EnvChanges): string {
  const left = new Map(Object.entries(changes));
  const lines = text.replace(/\n$/, "").split("\n");
  const kept = lines.flatMap((line) => {
    const name = /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? "";
    if (!Object.hasOwn(changes, name)) return [line];
    const value = left.get(name);
    left.delete(name);
    return value === undefined ? [] : [`${name}=${value}`];
  });
  const added = [...left].flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return `${[...kept.filter((line, at) => line !== "" || at > 0), ...added].join("\n")}\n`;
}

/** Changes values of a `.env` file. @throws {BootError} when it cannot be read or written */
export async function changeEnvFile(path: string, changes: EnvChanges): Promise<void> {
  await replaceFile(path, withChanges(await readWhole(path), changes));
}
