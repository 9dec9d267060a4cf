import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { emptyTables, type StateTables } from "./tables.ts";
import type { SandboxState } from "./sandbox-state.ts";

const dataFormat = 1;

interface Snapshot {
  format: number;
  clockOffset: number;
  outbox: SandboxState["outbox"];
  tables: Record<string, [string, unknown][]>;
}

/**
 * Keeps the state in one JSON file. A save writes a temporary file, flushes and renames it, so the file is always
 * complete. Saves requested during a write are combined into the next one.
 */
export class Persistence {
  readonly #state: SandboxState;
  readonly #file: string | undefined;
  #writing: Promise<void> | null = null;
  #queued: Promise<void> | null = null;

  constructor(state: SandboxState, file: string | undefined) {
    this.#state = state;
    this.#file = file;
  }

  /** Reads the file if there is one. Throws with the file's name when it is not a snapshot. */
  load(): void {
    if (this.#file === undefined || !existsSync(this.#file)) return;
    const snapshot = this.#read(this.#file);
    const tables = emptyTables();
    for (const name of Object.keys(tables) as (keyof StateTables)[]) {
      const rows = snapshot.tables[name] ?? [];
      for (const [id, row] of rows) (tables[name] as Map<string, unknown>).set(id, row);
    }
    this.#state.tables = tables;
    this.#state.outbox = snapshot.outbox;
    this.#state.clock.offset = snapshot.clockOffset;
  }

  #read(file: string): Snapshot {
    try {
      const snapshot = JSON.parse(readFileSync(file, "utf8")) as Snapshot;
      if (snapshot.format === dataFormat) return snapshot;
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
    const snapshot: Snapshot = {
      format: dataFormat,
      clockOffset: this.#state.clock.offset,
      outbox: this.#state.outbox,
      tables: Object.fromEntries(
        Object.entries(this.#state.tables).map(([name, rows]) => [
          name,
          [...(rows as Map<string, unknown>).entries()],
        ]),
      ),
    };
    const text = JSON.stringify(snapshot);
    await mkdir(path.dirname(file), { recursive: true });
    const draft = `${file}.new`;
    const handle = await open(draft, "w", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  }
}
