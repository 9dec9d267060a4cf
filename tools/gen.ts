import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { format } from "prettier";
import { startHost } from "basehost";
import { authEmailFiles } from "./auth-emails.ts";
import { renderSchema } from "./schema-file.ts";
import { runSupabaseCli } from "./supabase-cli.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const typesFile = join("web", "src", "database.types.ts");
/** The same again, because functions are deployed with their own folder alone. */
const functionTypesFile = join("supabase", "functions", "_shared", "database", "database.types.ts");
const schemaFile = join("supabase", "schema.sql");

/** Runs `work` with the connection string of a database that has just been migrated. */
async function withFreshDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), "fourfold-gen-"));
  const env = { PORT: "0", DATA_DIR: join(dataDir, "data") };
  try {
    const host = await startHost({ root: root, env, log: pino({ level: "silent" }) });
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

/** The final state of the database as SQL. */
async function readSchema(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await renderSchema(client, join(root, "supabase", "migrations"));
  } finally {
    await client.end();
  }
}

const check = process.argv.includes("--check");

/** Writes generated files by path from the root or, with `--check`, compares them. */
async function writeOrCompare(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file);
    if (!check) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      process.stdout.write(`Wrote ${file}\n`);
    } else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
      process.stderr.write(`${file} is out of date; run npm run gen.\n`);
      process.exitCode = 1;
    }
  }
}

// First, because the host reads them when it starts.
await writeOrCompare(authEmailFiles());
await writeOrCompare(
  await withFreshDatabase(async (url): Promise<Record<string, string>> => {
    const types = await askCli(url, check);
    return { [typesFile]: types, [functionTypesFile]: types, [schemaFile]: await readSchema(url) };
  }),
);
