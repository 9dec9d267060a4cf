import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { format } from "prettier";
import { startHost } from "../packages/host/src/host.ts";
import { runSupabaseCli } from "./supabase-cli.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES = join(ROOT, "web", "src", "database.types.ts");

/** Runs `work` with the connection string of a database that has just been migrated. */
async function withFreshDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "fourfold-gen-"));
  const env = { PORT: "0", DATA_DIR: join(dataDir, "data") };
  try {
    const host = await startHost({ root: ROOT, env, log: pino({ level: "silent" }) });
    try {
      return await work(host.context.db.url);
    } finally {
      await host.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The types the official CLI gives for the database; with `check`, also what it thinks of it. */
async function askCli(url: string, check: boolean): Promise<string> {
  // Understood by version 3.1 and by 4, which has no --db-url.
  const target = `--remote=${url}?sslmode=disable`;
  const output = await runSupabaseCli(["gen", "types", "typescript", target, "--schema=public"]);
  if (check) {
    await runSupabaseCli(["db", "push", target, "--dry-run"]);
    await runSupabaseCli(["db", "advisors", target, "--fail-on", "warn"]);
  }
  // What the CLI has to say about the connection comes first, on the same stream.
  const generated = output.slice(Math.max(output.indexOf("export type Json"), 0));
  return await format(generated, { parser: "typescript", printWidth: 100 });
}

const check = process.argv.includes("--check");
const types = await withFreshDatabase(async (url) => await askCli(url, check));
if (!check) {
  await writeFile(TYPES, types);
  process.stdout.write("Wrote web/src/database.types.ts\n");
} else if ((await readFile(TYPES, "utf8").catch(() => "")) !== types) {
  process.stderr.write(
    "web/src/database.types.ts is not what the database says; run npm run gen.\n",
  );
  process.exitCode = 1;
}
