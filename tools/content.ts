import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { BootError, readHostConfig } from "basehost";
import { connectOwner } from "basehost/database";
import { importLibrary, previewImport } from "./content/apply.ts";
import { describeIssue, type Library } from "../web/src/domain/library-files/library.ts";
import { describeChange, describeKept } from "./content/plan.ts";
import { readLibrary } from "./content/read-library.ts";
import { libraryDigest, shippedLibraryFolder } from "./content/shipped.ts";
import { readEnvironment } from "./environment.ts";
import { withInstanceDatabase } from "./instance-database.ts";

const migrationsFolder = fileURLToPath(new URL("../supabase/migrations", import.meta.url));
const usage = `Usage: npm run content -- check [DIR]
       npm run content -- import [DIR] [--yes]`;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Counts of a library, as text. */
function summary(library: Library): string {
  const articles = library.flatMap((shelf) => shelf.articles).length;
  const courses = library.flatMap((shelf) => shelf.courses);
  const modules = courses.flatMap((course) => course.modules).length;
  return `${library.length} subcategories, ${articles} articles, ${courses.length} courses with ${modules} modules`;
}

/** @throws {BootError} listing every issue with its file and line. */
async function readValidLibrary(folder: string): Promise<Library> {
  const { library, issues } = await readLibrary(folder);
  if (issues.length === 0) return library;
  const from = relative(process.cwd(), folder);
  const lines = issues.map((issue) => describeIssue({ ...issue, file: join(from, issue.file) }));
  const count = issues.length === 1 ? "1 issue" : `${issues.length} issues`;
  throw new BootError([...lines, `${count}; nothing was changed.`].join("\n"));
}

/** Asks the operator to confirm. False without a terminal. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Make these changes? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * Runs `work` on the install's database, or on the one `DATABASE_URL` names. It only connects to the latter, which
 * may be hosted elsewhere and must have its migrations applied.
 */
async function withDatabase(work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const config = readHostConfig(await readEnvironment(process.cwd(), process.env));
  if (config.databaseUrl === undefined)
    return await withInstanceDatabase(config, migrationsFolder, work);
  // Fails with one sentence when there is no connection; the pool would throw a driver error.
  await (await connectOwner(config.databaseUrl)).end();
  const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 2 });
  try {
    const { rows } = await pool.query<{ ready: boolean }>(
      "select to_regclass('private.content_imports') is not null as ready",
    );
    if (rows[0]?.ready !== true) {
      throw new BootError("The database has no library yet; run its migrations first.");
    }
    await work(pool);
  } finally {
    await pool.end();
  }
}

/** Prints what would change, and changes it when `confirmed` is set or the operator confirms. */
async function importFolder(folder: string, confirmed: boolean): Promise<void> {
  const library = await readValidLibrary(folder);
  const source = folder === resolve(shippedLibraryFolder) ? "shipped" : "operator";
  const digest = await libraryDigest(folder);
  await withDatabase(async (pool) => {
    const { changes, kept } = await previewImport(pool, library);
    for (const change of changes) say(describeChange(change));
    for (const row of kept) say(describeKept(row));
    say(`${summary(library)}: ${changes.length === 0 ? "nothing" : changes.length} to change.`);
    if (changes.length > 0 && !confirmed && !(await isConfirmed())) {
      say("Nothing was changed; run the command again with --yes to make these changes.");
      return;
    }
    const done = await importLibrary(pool, library, { source, digest });
    if (done.length > 0) say(`Done: ${done.length} changes.`);
  });
}

/** `npm run content -- check|import [DIR] [--yes]` */
async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  const folders = rest.filter((word) => word !== "--yes");
  const confirmed = folders.length < rest.length;
  const isKnown = command === "import" || (command === "check" && !confirmed);
  if (!isKnown || folders.length > 1 || folders.some((folder) => folder.startsWith("-"))) {
    throw new BootError(usage);
  }
  const folder = resolve(folders[0] ?? shippedLibraryFolder);
  if (command === "check") say(`${summary(await readValidLibrary(folder))}: no issues.`);
  else await importFolder(folder, confirmed);
}

await main().catch((error: unknown) => {
  const known = error instanceof BootError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
