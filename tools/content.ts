import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { BootError, readHostConfig } from "../packages/host/src/config.ts";
import { connectOwner } from "../packages/host/src/postgres/bootstrap.ts";
import { importLibrary, previewImport } from "./content/apply.ts";
import { describeFault, type Library } from "./content/library.ts";
import { describeChange } from "./content/plan.ts";
import { readLibrary } from "./content/read-library.ts";
import { libraryDigest, SHIPPED_LIBRARY } from "./content/shipped.ts";
import { readEnvironment } from "./environment.ts";
import { withInstallDatabase } from "./install-database.ts";

const MIGRATIONS = fileURLToPath(new URL("../supabase/migrations", import.meta.url));
const USAGE = `Usage: npm run content -- check [DIR]
       npm run content -- import [DIR] [--yes]`;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** How much is in a library. */
function summary(library: Library): string {
  const articles = library.flatMap((shelf) => shelf.articles).length;
  const courses = library.flatMap((shelf) => shelf.courses);
  const modules = courses.flatMap((course) => course.modules).length;
  return `${library.length} subcategories, ${articles} articles, ${courses.length} courses with ${modules} modules`;
}

/** @throws {BootError} that lists every fault with its file and line. */
async function readSound(folder: string): Promise<Library> {
  const { library, faults } = await readLibrary(folder);
  if (faults.length === 0) return library;
  const from = relative(process.cwd(), folder);
  const lines = faults.map((fault) => describeFault({ ...fault, file: join(from, fault.file) }));
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new BootError([...lines, `${count}; nothing was changed.`].join("\n"));
}

/** True when the operator agrees; without a terminal nobody can. */
async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Make these changes? [y/N] ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * Runs `work` on the install's database, or on the one `DATABASE_URL` names. The latter is only connected to, so that
 * it may be hosted elsewhere; its migrations must have run.
 */
async function withDatabase(work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const config = readHostConfig(await readEnvironment(process.cwd(), process.env));
  if (config.databaseUrl === undefined) return await withInstallDatabase(config, MIGRATIONS, work);
  // Says in one sentence why there is no connection, where the pool would only throw.
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

/** Shows what would change, and does it when `confirmed` or agreed to. */
async function importFolder(folder: string, confirmed: boolean): Promise<void> {
  const library = await readSound(folder);
  const source = folder === resolve(SHIPPED_LIBRARY) ? "shipped" : "operator";
  const digest = await libraryDigest(folder);
  await withDatabase(async (pool) => {
    const { changes } = await previewImport(pool, library);
    for (const change of changes) say(describeChange(change));
    say(`${summary(library)}: ${changes.length === 0 ? "nothing" : changes.length} to change.`);
    if (changes.length > 0 && !confirmed && !(await agreed())) {
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
    throw new BootError(USAGE);
  }
  const folder = resolve(folders[0] ?? SHIPPED_LIBRARY);
  if (command === "check") say(`${summary(await readSound(folder))}: all sound.`);
  else await importFolder(folder, confirmed);
}

await main().catch((error: unknown) => {
  const known = error instanceof BootError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
