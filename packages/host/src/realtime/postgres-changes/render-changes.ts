// Converts rows from the log's text format to JSON, and fetches unchanged TOAST values from the table.

import type { Queryable } from "../../postgres/database.ts";
import { positionsIn, type TableColumn, type TableMetadata } from "./table-metadata.ts";
import type { WalRelation, WalRowChange, Tuple } from "./pgoutput.ts";
import pg from "pg";

/** JSON of each value by column name. Columns the log does not carry are missing. */
export type RenderedRow = ReadonlyMap<string, string>;

/** The rows of a change, with values as JSON. */
export interface RenderedChange {
  record: RenderedRow | undefined;
  old: RenderedRow | undefined;
}

const { escapeIdentifier } = pg;
const plainInteger = /^-?\d{1,15}$/;
/** A timestamp in UTC, as the log has it. Other forms, such as infinity, are left to Postgres. */
const utcTimestamp = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/;
/** Types encoded in this process, with the same result as `to_jsonb`. */
const localEncoders: Readonly<Record<string, (text: string) => string | undefined>> = {
  int2: (text) => text,
  int4: (text) => text,
  int8: (text) => text,
  bool: (text) => (text === "t" ? "true" : "false"),
  text: JSON.stringify,
  varchar: JSON.stringify,
  uuid: JSON.stringify,
  numeric: (text) => (plainInteger.test(text) ? text : undefined),
  timestamptz: (text) =>
    utcTimestamp.test(text) ? `"${text.replace(utcTimestamp, "$1T$2+00:00")}"` : undefined,
};

/** Values that Postgres converts to JSON, by type. */
class JsonConversions {
  readonly #wanted = new Map<string, Set<string>>();
  readonly #done = new Map<string, string>();

  request(column: TableColumn, text: string): void {
    const values = this.#wanted.get(column.sqlType) ?? new Set();
    this.#wanted.set(column.sqlType, values.add(text));
  }

  async run(db: Queryable): Promise<void> {
    for (const [type, values] of this.#wanted) {
      const texts = [...values];
      const { rows } = await db.query<{ json: string }>(
        `select to_jsonb(v::${type})::text as json from unnest($1::text[]) with ordinality as u(v, n) order by n`,
        [texts],
      );
      for (const [at, text] of texts.entries()) {
        this.#done.set(`${type} ${text}`, rows[at]?.json ?? "null");
      }
    }
  }

  get(column: TableColumn, text: string): string {
    return this.#done.get(`${column.sqlType} ${text}`) ?? "null";
  }
}

/** Reads unchanged TOAST values from the table, because the log does not repeat them. */
async function readUnchanged(
  db: Queryable,
  relation: WalRelation,
  { key }: TableMetadata,
  record: Tuple,
): Promise<Tuple> {
  const positions = positionsIn(relation);
  const missing = relation.columns.flatMap((column, at) =>
    record[at] === undefined ? [column.name] : [],
  );
  if (missing.length === 0 || key.length === 0) return record;
  const list = missing.map((name) => `${escapeIdentifier(name)}::text`).join(", ");
  const match = key.map(
    (column, at) => `${escapeIdentifier(column.name)} = $${at + 1}::text::${column.sqlType}`,
  );
  const { rows } = await db.query<(string | null)[]>({
    text: `select ${list} from ${escapeIdentifier(relation.schema)}.${escapeIdentifier(relation.table)} where ${match.join(" and ")}`,
    values: key.map((column) => record[positions.get(column.name) ?? -1] ?? null),
    rowMode: "array",
  });
  const filled = [...record];
  for (const [at, name] of missing.entries()) {
    filled[positions.get(name) ?? -1] = rows[0]?.[at];
  }
  return filled;
}

/** Fills missing values from the old row, or else from the table. */
async function fillUnchanged(
  db: Queryable,
  change: WalRowChange,
  metadata: TableMetadata,
): Promise<Tuple | undefined> {
  const { record, old } = change;
  if (!record?.includes(undefined)) return record;
  const known = record.map((value, at) => (value === undefined ? (old?.[at] ?? undefined) : value));
  return await readUnchanged(db, change.relation, metadata, known);
}

/** Encodes the values of changes to one table as JSON, as `to_jsonb` does. */
export async function renderChanges(
  db: Queryable,
  relation: WalRelation,
  metadata: TableMetadata,
  changes: readonly WalRowChange[],
): Promise<RenderedChange[]> {
  const positions = positionsIn(relation);
  const placed = metadata.columns.flatMap((column) => {
    const at = positions.get(column.name);
    return at === undefined ? [] : [{ column, at, quick: localEncoders[column.typeName] }];
  });
  const conversions = new JsonConversions();
  const tuples: { record: Tuple | undefined; old: Tuple | undefined }[] = [];
  for (const change of changes) {
    const record = await fillUnchanged(db, change, metadata);
    // Without an old row the key has not changed; subscribers get it nevertheless.
    const old =
      change.old ??
      (change.type === "UPDATE"
        ? relation.columns.map((column, at) =>
            metadata.key.some((known) => known.name === column.name) ? record?.[at] : undefined,
          )
        : undefined);
    tuples.push({ record, old });
    for (const tuple of [record, old]) {
      for (const { column, at, quick } of placed) {
        const text = tuple?.[at];
        if (typeof text === "string" && quick?.(text) === undefined)
          conversions.request(column, text);
      }
    }
  }
  await conversions.run(db);
  const render = (tuple: Tuple | undefined): RenderedRow | undefined =>
    tuple &&
    new Map(
      placed.flatMap(({ column, at, quick }): [string, string][] => {
        const text = tuple[at];
        if (text === undefined) return [];
        if (text === null) return [[column.name, "null"]];
        return [[column.name, quick?.(text) ?? conversions.get(column, text)]];
      }),
    );
  return tuples.map(({ record, old }) => ({ record: render(record), old: render(old) }));
}
