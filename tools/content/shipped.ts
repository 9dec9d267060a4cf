import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Logger } from "pino";
import type { ImportSource } from "./apply.ts";
import { describeIssue } from "../../web/src/domain/library-files/library.ts";

/** The library that comes with the product. */
export const shippedLibraryFolder = fileURLToPath(
  new URL("../../supabase/seed/content", import.meta.url),
);

/** A hash of every file below a folder. */
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

/** True when the database is empty, or when the last import was the shipped library with other files. */
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
 * Imports the shipped library at a start: into an empty database, and again when the product was shipped with changed
 * files. A library that the operator imported stays as it is. Invalid files are logged and change nothing.
 */
export async function seedLibrary(
  pool: pg.Pool,
  log: Logger,
  folder = shippedLibraryFolder,
): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory() !== true) return;
  const digest = await libraryDigest(folder);
  if (!(await isDue(pool, digest))) return;
  // A start that imports nothing need not load what reads Markdown.
  const { importLibrary } = await import("./apply.ts");
  const { readLibrary } = await import("./read-library.ts");
  const { library, issues } = await readLibrary(folder);
  if (issues.length > 0) {
    log.error({ issues: issues.map(describeIssue) }, "the shipped library has issues");
    return;
  }
  const changes = await importLibrary(pool, library, { source: "shipped", digest });
  log.info({ changes: changes.length }, "the shipped library was imported");
}
