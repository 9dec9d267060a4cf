import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { emptyTables, type StateTables } from "./tables.ts";
import { toEntries, WrittenRows, type RowChanges, type TableEntries } from "./written-rows.ts";
import type { SandboxState } from "./sandbox-state.ts";

const dataFormat = 1;

/** Bytes of changes that are appended to a snapshot of any size before the next one is written. */
const leastAppended = 1_000_000;

interface Snapshot {
  format: number;
  clockOffset: number;
  outbox: SandboxState["outbox"];
  tables: TableEntries;
}

/** What one save changed. */
interface Change extends RowChanges {
  clockOffset: number;
  outbox: SandboxState["outbox"];
}

/**
 * Keeps the state in one file: a snapshot in the first line, and in each further line what one save changed, so that
 * a save takes as long as what changed and not as long as all there is. A snapshot is written to a temporary file,
 * flushed and renamed; a change is appended and flushed. A line that a crash cut off was never acknowledged and is
 * left out. Saves requested during a write are combined into the next one.
 */
export class Persistence {
  readonly #state: SandboxState;
  readonly #file: string | undefined;
  /** Absent until this process has written a snapshot, and after a write that failed. */
  #written: WrittenRows | null = null;
  #appendable = 0;
  #writing: Promise<void> | null = null;
  #queued: Promise<void> | null = null;

  constructor(state: SandboxState, file: string | undefined) {
    this.#state = state;
    this.#file = file;
  }

  /** Reads the file if there is one. Throws with the file's name when it cannot be read. */
  load(): void {
    if (this.#file === undefined || !existsSync(this.#file)) return;
    const [snapshot, ...changes] = this.#read(this.#file);
    const tables = emptyTables();
    const names = Object.keys(tables) as (keyof StateTables)[];
    const applyRows = (entries: TableEntries) => {
      for (const name of names) {
        for (const [id, row] of entries[name] ?? []) {
          (tables[name] as Map<string, unknown>).set(id, row);
        }
      }
    };
    applyRows(snapshot.tables);
    for (const change of changes) {
      for (const name of names)
        for (const id of change.deleted[name] ?? []) tables[name].delete(id);
      applyRows(change.put);
    }
    const newest = changes.at(-1) ?? snapshot;
    this.#state.tables = tables;
    this.#state.outbox = newest.outbox;
    this.#state.clock.offset = newest.clockOffset;
  }

  #read(file: string): [Snapshot, ...Change[]] {
    try {
      const [first = "", ...lines] = readFileSync(file, "utf8").split("\n");
      // A whole line ends with a line break, so the last piece is empty or was cut off.
      lines.pop();
      const snapshot = JSON.parse(first) as Snapshot;
      if (snapshot.format === dataFormat) {
        return [snapshot, ...lines.map((line) => JSON.parse(line) as Change)];
      }
    } catch (cause) {
      throw new Error(`The card sandbox cannot read its data file ${file}.`, { cause });
    }
    throw new Error(`The card sandbox's data file ${file} has an unknown format.`);
  }

  /** Resolves once everything changed before the call is on disk. */
  save(): Promise<void> {
    if (this.#file === undefined) return Promise.resolve();
    if (this.#writing === null) {
      this.#writing = this.#write(this.#file).finally(() => {
        this.#writing = null;
      });
      return this.#writing;
    }
    this.#queued ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#queued = null;
        return this.save();
      });
    return this.#queued;
  }

  async #write(file: string): Promise<void> {
    const written = this.#written;
    // Whether a line that could not be written is in the file is unknown: the next save replaces the file.
    this.#written = null;
    const { outbox, tables, clock } = this.#state;
    if (written === null || this.#appendable <= 0) {
      const rows = new WrittenRows(tables);
      const snapshot: Snapshot = {
        format: dataFormat,
        clockOffset: clock.offset,
        outbox,
        tables: toEntries(tables),
      };
      const line = `${JSON.stringify(snapshot)}\n`;
      await mkdir(path.dirname(file), { recursive: true });
      const draft = `${file}.new`;
      await writeFlushed(draft, "w", line);
      await rename(draft, file);
      this.#appendable = Math.max(leastAppended, line.length);
      this.#written = rows;
    } else {
      const change: Change = { clockOffset: clock.offset, outbox, ...written.takeChanges(tables) };
      const line = `${JSON.stringify(change)}\n`;
      await writeFlushed(file, "a", line);
      this.#appendable -= line.length;
      this.#written = written;
    }
  }
}

async function writeFlushed(file: string, flags: "w" | "a", text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
