import { existsSync, readFileSync } from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { emptyTables, type Tables } from "./tables.ts";
import type { World } from "./world.ts";

const FORMAT = 1;

interface Snapshot {
  format: number;
  clockOffset: number;
  outbox: World["outbox"];
  tables: Record<string, [string, unknown][]>;
}

/**
 * Keeps the world in one JSON file. A save writes a neighbour file, flushes it and renames it, so a
 * reader sees the old or the new state and never half of one. Saves asked for while one is being
 * written are done together by the next.
 */
export class Persistence {
  readonly #world: World;
  readonly #file: string | undefined;
  #writing: Promise<void> | null = null;
  #queued: Promise<void> | null = null;

  constructor(world: World, file: string | undefined) {
    this.#world = world;
    this.#file = file;
  }

  /** Reads the file if there is one. Throws with the file's name when it is not a snapshot. */
  load(): void {
    if (this.#file === undefined || !existsSync(this.#file)) return;
    const snapshot = this.#read(this.#file);
    const tables = emptyTables();
    for (const name of Object.keys(tables) as (keyof Tables)[]) {
      const rows = snapshot.tables[name] ?? [];
      for (const [id, row] of rows) (tables[name] as Map<string, unknown>).set(id, row);
    }
    this.#world.tables = tables;
    this.#world.outbox = snapshot.outbox;
    this.#world.clock.offset = snapshot.clockOffset;
  }

  #read(file: string): Snapshot {
    try {
      const snapshot = JSON.parse(readFileSync(file, "utf8")) as Snapshot;
      if (snapshot.format === FORMAT) return snapshot;
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
      format: FORMAT,
      clockOffset: this.#world.clock.offset,
      outbox: this.#world.outbox,
      tables: Object.fromEntries(
        Object.entries(this.#world.tables).map(([name, rows]) => [
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
