// `npm run gen`: writes what is generated. `npm run gen -- NAME` also writes the migration that leads from the migrations
// there are to the declared schema. `--check` compares instead, and asks Supabase's own tools what they think of the database.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { applyMigrations } from "basehost/database";
import { authEmailFiles } from "./auth-emails.ts";
import { writeErrorCodes } from "./error-codes.ts";
import { checkedLater } from "./schema/checked-later.ts";
import {
  type DeclaredFile,
  loadDeclared,
  readDeclaredFiles,
  rpcFolder,
} from "./schema/declared-schema.ts";
import { writeRpcFunctions } from "./schema/rpc-functions.ts";
import { schemaDifference } from "./schema/schema-difference.ts";
import { openScratchServer, type ScratchServer, withOwner } from "./schema/scratch-server.ts";
import { runSupabaseCli } from "./supabase-cli.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const typesFile = join("web", "src", "database.types.ts");
/** The same again, because functions are deployed with their own folder alone. */
const functionTypesFile = "supabase/functions/_shared/database/database.types.ts";
const schemasFolder = join("supabase", "schemas");
const errorCodesFile = join("docs", "error-codes.md");
const migrationsFolder = join("supabase", "migrations");

const {
  values: { check },
  positionals: [migrationName],
} = parseArgs({
  options: { check: { type: "boolean", default: false } },
  allowPositionals: true,
});

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** Writes generated files by path from the root or, with `--check`, compares them. */
async function writeOrCompare(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    const path = join(root, file);
    if ((await readFile(path, "utf8").catch(() => "")) === text) continue;
    if (check) {
      fail(`${file} is out of date; run npm run gen.`);
    } else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      process.stdout.write(`Wrote ${file}\n`);
    }
  }
}

/** The document of error codes, with those of the declared schema. */
async function readErrorCodes(): Promise<string> {
  const document = await readFile(join(root, errorCodesFile), "utf8");
  const files = await readDeclaredFiles(join(root, schemasFolder));
  return await format(writeErrorCodes(document, files), { parser: "markdown", printWidth: 100 });
}

/** For the official CLI; understood by version 3.1 and by 4, which has no --db-url. */
const remote = (url: string) => `--remote=${url}?sslmode=disable`;

/** The types the official CLI gives for the database. */
async function readTypes(url: string): Promise<string> {
  const target = remote(url);
  const output = await runSupabaseCli(["gen", "types", "typescript", target, "--schema=public"]);
  // What the CLI has to say about the connection comes first, on the same stream.
  const generated = output.slice(Math.max(output.indexOf("export type Json"), 0));
  return await format(generated, { parser: "typescript", printWidth: 100 });
}

/** Creates the declared schema and the functions that pass calls on to it. */
async function createDeclared(server: ScratchServer): Promise<string> {
  const all = await readDeclaredFiles(join(root, schemasFolder));
  const isWritten = ({ path }: DeclaredFile) => path.startsWith(rpcFolder);
  const files = all.filter((file) => !isWritten(file));
  return await server.createDatabase("declared", async (client) => {
    await loadDeclared(client, files);
    const rpcs = await writeRpcFunctions(client, files);
    await loadDeclared(client, rpcs);
    await writeOrCompare(
      Object.fromEntries(rpcs.map(({ path, text }) => [join(schemasFolder, path), text])),
    );
    for (const { path } of all.filter(isWritten)) {
      if (!rpcs.some((rpc) => rpc.path === path)) fail(`${path} has no @rpc left; delete it.`);
    }
  });
}

/** PostgreSQL 16 does not know the right `maintain`; where a newer one does, owners have it anyway. */
function withoutMaintain(sql: string): string {
  return /^grant\b/.test(sql) ? sql.replace(/\bmaintain, /, "") : sql;
}

/** Writes the migration NAME, and says which of its statements lose something. */
async function writeMigration(
  name: string,
  statements: readonly string[],
  destructive: readonly string[],
): Promise<void> {
  const version = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const fileOf = (number: string, title: string) =>
    join(migrationsFolder, `${number}_${title}.sql`);
  const textOf = (some: readonly string[]) =>
    some.map((sql) => `${withoutMaintain(sql)};\n`).join("\n");
  const { first, second } = checkedLater(statements);
  await writeOrCompare({ [fileOf(version, name)]: textOf(first) });
  if (second.length > 0) {
    const next = String(BigInt(version) + 1n);
    await writeOrCompare({ [fileOf(next, `${name}_checked`)]: textOf(second) });
  }
  for (const sql of destructive) process.stdout.write(`Loses something, look at it: ${sql}\n`);
}

/** The migrations and the declared schema have to lead to the same database. */
async function compareMigrations(server: ScratchServer, declared: string): Promise<string> {
  const folder = join(root, migrationsFolder);
  const migrated = await server.createDatabase("migrated", async (client) => {
    await applyMigrations(client, folder);
  });
  const { statements, destructive, back } = await schemaDifference(migrated, declared);
  if (statements.length + back.length === 0) return migrated;
  if (check || migrationName === undefined) {
    fail(
      `The migrations do not lead to supabase/schemas; npm run gen -- NAME writes the one that is missing:\n` +
        statements.join(";\n"),
    );
    return migrated;
  }
  await writeMigration(migrationName, statements, destructive);
  await withOwner(migrated, async (client) => {
    await applyMigrations(client, folder);
  });
  const left = await schemaDifference(migrated, declared);
  if (left.statements.length > 0) {
    fail(`The migration does not lead to supabase/schemas:\n${left.statements.join(";\n")}`);
  }
  return migrated;
}

// First, because the host reads them when it starts.
await writeOrCompare(authEmailFiles());
await writeOrCompare({ [errorCodesFile]: await readErrorCodes() });
const server = await openScratchServer();
try {
  const declared = await createDeclared(server);
  const migrated = await compareMigrations(server, declared);
  const types = await readTypes(declared);
  await writeOrCompare({ [typesFile]: types, [functionTypesFile]: types });
  if (check) {
    await runSupabaseCli(["db", "push", remote(migrated), "--dry-run"]);
    await runSupabaseCli(["db", "advisors", remote(migrated), "--fail-on", "warn"]);
  }
} finally {
  await server.close();
}
