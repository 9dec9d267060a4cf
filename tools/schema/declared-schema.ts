import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { splitStatements } from "basehost/database";

/** One file of the declared schema. */
export interface DeclaredFile {
  /** From `supabase/schemas`, such as `chat/messages.sql`. */
  readonly path: string;
  readonly text: string;
}

/** The folder of the functions that `npm run gen` writes; see `rpc-functions.ts`. */
export const rpcFolder = "rpc";

/** Reads `supabase/schemas` in the order of its paths; the privileges, `00_schemas.sql`, come first. */
export async function readDeclaredFiles(folder: string): Promise<DeclaredFile[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith(".sql")).toSorted();
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(folder, path), "utf8") })),
  );
}

interface Statement {
  readonly path: string;
  readonly sql: string;
}

/** What Postgres said against a statement. */
type Refused = Statement & { readonly reason: string };

async function runEach(client: pg.Client, statements: readonly Statement[]): Promise<Refused[]> {
  const refused: Refused[] = [];
  for (const statement of statements) {
    await client.query("savepoint declared");
    try {
      await client.query(statement.sql);
      await client.query("release savepoint declared");
    } catch (error) {
      await client.query("rollback to savepoint declared");
      refused.push({
        ...statement,
        reason: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return refused;
}

/**
 * Creates what the files declare, as the owner of the project. The files are in reading order, so a statement may need
 * what a later file creates: what is refused is tried again after the others, as long as that helps.
 * @returns the statements in the order in which they could be run
 * @throws {Error} naming each statement that cannot be run, with its file
 */
export async function loadDeclared(
  client: pg.Client,
  files: readonly DeclaredFile[],
): Promise<Statement[]> {
  let waiting: readonly Statement[] = files.flatMap(({ path, text }) =>
    splitStatements(text).map((sql) => ({ path, sql })),
  );
  const done: Statement[] = [];
  await client.query("begin");
  await client.query("set local role postgres");
  await client.query("set local check_function_bodies = off");
  for (;;) {
    const refused = await runEach(client, waiting);
    const left = new Set(refused.map(({ sql }) => sql));
    done.push(...waiting.filter(({ sql }) => !left.has(sql)));
    if (refused.length === 0) break;
    if (refused.length === waiting.length) {
      await client.query("rollback");
      const lines = refused.map(
        ({ path, sql, reason }) => `${path}: ${reason}\n  ${firstLine(sql)}`,
      );
      throw new Error(`The declared schema cannot be created.\n${lines.join("\n")}`);
    }
    waiting = refused;
  }
  await client.query("commit");
  return done;
}

/** The first line of a statement that is no comment. */
function firstLine(sql: string): string {
  return sql.split("\n").find((line) => !line.startsWith("--") && line.trim() !== "") ?? sql;
}
