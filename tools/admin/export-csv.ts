// Writes every table of the product as CSV, for the operator's own books or for moving away.

import { createWriteStream } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { BootError } from "basehost";

/** Columns that open something: passwords, tokens, keys of second factors and of push messages. */
const secretColumn =
  /(?:^|_)(?:password|secret|token|hash|p256dh|auth|endpoint|nonce|challenge)(?:_|$)/;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly isText: boolean;
}

/** Of the auth and storage services only what tells of people and files. */
const columnsSql = `
  select n.nspname || '.' || c.relname as "table", a.attname as "column", t.typcategory = 'S' as "isText"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p') and not c.relispartition
    and (n.nspname in ('public', 'private')
      or (n.nspname, c.relname) in (('auth', 'users'), ('auth', 'identities'), ('storage', 'objects')))
  order by 1, a.attnum`;

/** A text that a spreadsheet would run as a formula is made plain with an apostrophe, as in the console's exports. */
function cell({ column, isText }: Column): string {
  const name = pg.escapeIdentifier(column);
  if (!isText) return name;
  return String.raw`case when ${name} ~ '^[-=+@\t\r]' then '''' || ${name} else ${name} end as ${name}`;
}

/** @throws {BootError} when the folder holds something, or can't be made. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new BootError(`${folder} can't be made: ${error.code}`);
  });
  if ((await readdir(folder)).length > 0) throw new BootError(`${folder} is not empty.`);
}

/**
 * Writes one file a table into a new folder, all of the same moment, readable for this account alone. Secrets are left out.
 * @returns how many tables and rows.
 * @throws {BootError} when the folder holds something.
 */
export async function exportCsv(
  pool: pg.Pool,
  folder: string,
): Promise<{ tables: number; rows: number }> {
  await makeFolder(folder);
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query("begin isolation level repeatable read read only");
    const { rows: columns } = await client.query<Column>(columnsSql);
    const tables = Map.groupBy(
      columns.filter(({ column }) => !secretColumn.test(column)),
      ({ table }) => table,
    );
    let rows = 0;
    for (const [table, own] of tables) {
      const name = table.split(".").map(pg.escapeIdentifier).join(".");
      const copy = copyTo(
        `copy (select ${own.map(cell).join(", ")} from ${name}) to stdout with (format csv, header)`,
      );
      const file = createWriteStream(join(folder, `${table}.csv`), { mode: 0o600, flags: "wx" });
      await pipeline(client.query(copy), file);
      rows += copy.rowCount;
    }
    await client.query("commit");
    broken = false;
    return { tables: tables.size, rows };
  } finally {
    // A connection in the middle of a copy takes no other statement.
    client.release(broken);
  }
}
