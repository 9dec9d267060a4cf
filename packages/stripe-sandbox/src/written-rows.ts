import type { StateTables } from "./tables.ts";

/** Rows by table, each with its id. */
export type TableEntries = Partial<Record<keyof StateTables, [string, unknown][]>>;

/** Rows that are new or changed, and the ids of those that are gone. */
export interface RowChanges {
  put: TableEntries;
  deleted: Partial<Record<keyof StateTables, string[]>>;
}

/** Notes are changed in place, so they are compared by their text; all other rows are replaced when they change. */
const notes: ReadonlySet<string> = new Set<keyof StateTables>([
  "cardNotes",
  "intentNotes",
  "subscriptionNotes",
]);

function tablesOf(tables: StateTables): [keyof StateTables, Map<string, unknown>][] {
  return Object.entries(tables) as [keyof StateTables, Map<string, unknown>][];
}

export function toEntries(tables: StateTables): TableEntries {
  return Object.fromEntries(tablesOf(tables).map(([name, rows]) => [name, [...rows]]));
}

/** What is on disk, so that a save can tell what has changed. */
export class WrittenRows {
  readonly #rows = new Map<string, Map<string, unknown>>();

  constructor(tables: StateTables) {
    this.takeChanges(tables);
  }

  /** The difference to what is on disk, which is taken to be written then. */
  takeChanges(tables: StateTables): RowChanges {
    const changes: RowChanges = { put: {}, deleted: {} };
    for (const [name, rows] of tablesOf(tables)) {
      const written = this.#rows.get(name) ?? new Map<string, unknown>();
      this.#rows.set(name, written);
      const put: [string, unknown][] = [];
      for (const [id, row] of rows) {
        const version = notes.has(name) ? JSON.stringify(row) : row;
        if (written.get(id) === version) continue;
        written.set(id, version);
        put.push([id, row]);
      }
      if (put.length > 0) changes.put[name] = put;
      const deleted = [...written.keys()].filter((id) => !rows.has(id));
      for (const id of deleted) written.delete(id);
      if (deleted.length > 0) changes.deleted[name] = deleted;
    }
    return changes;
  }
}
