import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BootError } from "../host/src/config.ts";
import { describeFault, type Library } from "./content/library.ts";
import { readLibrary } from "./content/read-library.ts";

const SHIPPED = fileURLToPath(new URL("../supabase/seed/content", import.meta.url));
const USAGE = "Usage: npm run content -- check [DIR]";

/** How much is in a library, as a sentence begins. */
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
  throw new BootError([...lines, `${faults.length} faults; nothing was changed.`].join("\n"));
}

/** `npm run content -- check|import [DIR] [--yes]` */
async function main(): Promise<void> {
  const [command, ...rest] = process.argv.slice(2);
  const [folder = SHIPPED, ...more] = rest;
  if (command !== "check" || more.length > 0) throw new BootError(USAGE);
  const library = await readSound(resolve(folder));
  process.stdout.write(`${summary(library)}: all sound.\n`);
}

await main().catch((error: unknown) => {
  const known = error instanceof BootError;
  process.stderr.write(`${known ? error.message : String((error as Error).stack ?? error)}\n`);
  process.exit(1);
});
