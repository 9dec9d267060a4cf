import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Logger } from "pino";
import { importLibrary, type ImportSource } from "./apply.ts";
import { describeFault } from "./library.ts";
import { readLibrary } from "./read-library.ts";

/** The library that comes with the product. */
export const SHIPPED_LIBRARY = fileURLToPath(
  new URL("../../supabase/seed/content", import.meta.url),
);

/** A fingerprint of every file below a folder. */
export async function libraryDigest(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash("sha256");
  for (const file of files) {
    hash
      .update(file.slice(folder.length))
      .update("\0")
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/** True when the database follows the shipped library and has not seen these files. */
async function isDue(pool: pg.Pool, digest: string): Promise<boolean> {
  const { rows } = await pool.query<{ source: ImportSource; digest: string }>(
    "select source, digest from private.content_imports order by id desc limit 1",
  );
  const [last] = rows;
  if (last) return last.source === "shipped" && last.digest !== digest;
  const { rowCount } = await pool.query("select from public.subcategories limit 1");
  return rowCount === 0;
}

/**
 * Brings in the shipped library at a start: into an empty database, and again when the product came with other
 * files. A library the operator imported is left alone. Faulty files are told in the log and change nothing.
 */
export async function seedLibrary(
  pool: pg.Pool,
  log: Logger,
  folder = SHIPPED_LIBRARY,
): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory() !== true) return;
  const digest = await libraryDigest(folder);
  if (!(await isDue(pool, digest))) return;
  const { library, faults } = await readLibrary(folder);
  if (faults.length > 0) {
    log.error({ faults: faults.map(describeFault) }, "the shipped library has faults");
    return;
  }
  const changes = await importLibrary(pool, library, { source: "shipped", digest });
  log.info({ changes: changes.length }, "the shipped library was imported");
}
