// Copies what an install's database holds into another one with the same migrations, such as a hosted project's.

import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { BootError } from "basehost";

/** Changes the stored secret of a second factor for the other side; null when it cannot be read. */
export type ConvertSecret = (factor: string, stored: string) => string | null;

/** What a run of {@link copyRows} did. */
export interface RowSummary {
  tables: number;
  rows: number;
  accounts: number;
  /** Accounts whose second factor could not be taken along. */
  withoutFactor: string[];
}

/** Sign-ins, and what waits for the link of an e-mail, end with the move. */
const serviceTables = ["auth.users", "auth.identities", "auth.webauthn_credentials"];
/** Its rows name the buckets, which the migrations have made. */
const fileTable = "storage.objects";
/** Empty, not null: the auth service of a project cannot read an account where one of these is null. */
const pendingColumn = /_token(?:_|$)|_change$/;

const columnsSql = `
  select n.nspname || '.' || c.relname as "table", a.attname as "column"
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relkind in ('r', 'p') and not c.relispartition
    and (n.nspname in ('public', 'private') or n.nspname || '.' || c.relname = any ($1))
  order by 1, a.attnum`;

const quoted = (table: string) => table.split(".").map(pg.escapeIdentifier).join(".");

async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; column: string }>(columnsSql, [
    [...serviceTables, fileTable],
  ]);
  const tables = Map.groupBy(rows, ({ table }) => table);
  return new Map([...tables].map(([table, own]) => [table, own.map(({ column }) => column)]));
}

async function migrationsOf(client: pg.Client): Promise<string> {
  const sql = "select version from supabase_migrations.schema_migrations order by version";
  const { rows } = await client.query<{ version: string }>(sql).catch(() => ({ rows: [] }));
  return rows.map(({ version }) => version).join(" ");
}

/** @throws {BootError} when the two cannot be one product, or the target is in use. */
async function assertFits(from: pg.Client, to: pg.Client): Promise<void> {
  const migrations = await migrationsOf(to);
  if (migrations === "" || migrations !== (await migrationsOf(from))) {
    throw new BootError(
      "The two databases do not have the same migrations: bring both to this version first.",
    );
  }
  const { rows } = await to.query<{ taken: boolean }>(
    "select exists (select from auth.users) as taken",
  );
  if (rows[0]?.taken === true) {
    throw new BootError("The target has accounts already; nothing was copied.");
  }
}

async function copyTable(
  { from, to }: { from: pg.Client; to: pg.Client },
  table: string,
  columns: readonly string[],
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(", ");
  const isPending = (column: string) => table === "auth.users" && pendingColumn.test(column);
  const values = columns.map((column) => (isPending(column) ? "''" : pg.escapeIdentifier(column)));
  const source = from.query(
    copyTo(`copy (select ${values.join(", ")} from ${quoted(table)}) to stdout`),
  );
  const target = to.query(copyFrom(`copy ${quoted(table)} (${list}) from stdin`));
  await pipeline(source, target);
  return target.rowCount;
}

/**
 * Authenticator apps go on, and security keys where both sides keep them; what was left half set up does not.
 * @returns accounts with a factor that could not be taken along.
 */
async function copyFactors(
  { from, to }: { from: pg.Client; to: pg.Client },
  convert: ConvertSecret,
): Promise<string[]> {
  const { rows } = await from.query<{
    id: string;
    user_id: string;
    factor_type: "totp" | "webauthn";
    secret: string | null;
    row: object;
  }>(
    `select id, user_id, factor_type, secret, to_jsonb(f) as row from auth.mfa_factors f
     where factor_type in ('totp', 'webauthn') and status = 'verified' order by id`,
  );
  const { rows: found } = await to.query(
    `select from pg_attribute where attrelid = 'auth.mfa_factors'::regclass and attname = 'web_authn_credential'`,
  );
  const own = "id, user_id, friendly_name, factor_type, status, created_at, updated_at";
  const keptColumns = {
    totp: `${own}, secret`,
    webauthn: `${own}, web_authn_credential, web_authn_aaguid`,
  };
  const lost: string[] = [];
  for (const factor of rows) {
    const isKey = factor.factor_type === "webauthn";
    const secret = factor.secret === null ? null : convert(factor.id, factor.secret);
    if (isKey ? found.length === 0 : secret === null) {
      lost.push(factor.user_id);
      continue;
    }
    const columns = keptColumns[factor.factor_type];
    await to.query(
      `insert into auth.mfa_factors (${columns})
       select ${columns} from jsonb_populate_record(null::auth.mfa_factors, $1)`,
      [JSON.stringify({ ...factor.row, secret })],
    );
  }
  return lost;
}

async function copySequences(from: pg.Client, to: pg.Client): Promise<void> {
  const { rows } = await from.query<{ name: string; last: string }>(
    `select format('%I.%I', schemaname, sequencename) as name, last_value as last from pg_sequences
     where schemaname in ('public', 'private') and last_value is not null`,
  );
  for (const { name, last } of rows) await to.query("select setval($1, $2)", [name, last]);
}

/**
 * Copies every row of the product, the accounts with the hashes of their passwords, identities, passkeys and security keys where both sides keep them, and second factors, as of
 * one moment and in one transaction. What migrations put into the target is replaced. Sessions, links in e-mails and logs of
 * the auth service stay behind: members sign in again. No trigger runs, so nothing is sent or counted twice.
 * @throws {BootError} when the target is not of the same version, or has accounts; nothing was changed then.
 */
export async function copyRows(
  sides: { from: pg.Client; to: pg.Client },
  convert: ConvertSecret,
): Promise<RowSummary> {
  const { from, to } = sides;
  await assertFits(from, to);
  const [there, here] = [await columnsOf(to), await columnsOf(from)];
  const summary: RowSummary = { tables: 0, rows: 0, accounts: 0, withoutFactor: [] };
  await from.query("begin isolation level repeatable read read only");
  await to.query("begin");
  try {
    await from.query("set local statement_timeout = 0");
    await to.query("set local session_replication_role = replica");
    await to.query("set local statement_timeout = 0");
    const own = [...there.keys()].filter((table) => /^(?:public|private)\./.test(table));
    await to.query(`truncate ${own.map(quoted).join(", ")}`);
    for (const [table, columns] of there) {
      const known = new Set(here.get(table));
      const shared = columns.filter((column) => known.has(column));
      if (shared.length === 0) continue;
      const rows = await copyTable(sides, table, shared);
      if (table === "auth.users") summary.accounts = rows;
      summary.tables += 1;
      summary.rows += rows;
    }
    summary.withoutFactor = await copyFactors(sides, convert);
    await copySequences(from, to);
    await to.query("commit");
  } catch (error) {
    await to.query("rollback");
    throw error;
  } finally {
    await from.query("rollback");
  }
  return summary;
}
