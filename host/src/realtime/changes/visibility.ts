import { availableParallelism } from "node:os";
import pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { sightSql, type RowKeys, type Viewer } from "./sight-sql.ts";

/** For each viewer, the places (from 0) of the rows it sees. */
export type Sight = ReadonlyMap<Viewer, ReadonlySet<number>>;

/** What all viewers together may take: a fixed part, and a part for each viewer and row. */
const TOGETHER_MS = 2_000;
const EACH_MS = 0.1;
/** What one viewer's policies may take when they have to be asked alone. */
const ALONE_MS = 500;
/** How long a viewer whose policies took longer is not asked again; it sees nothing meanwhile. */
const QUARANTINE_MS = 30_000;
/** Viewers worth a connection of their own, and connections at most. */
const LEAST_IN_PART = 250;
const MOST_PARTS = Math.min(4, availableParallelism());
const TIMED_OUT = "57014";
const LOCK_TIMED_OUT = "55P03";

const NOTHING: ReadonlySet<number> = new Set();

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** True for what one viewer's policy or data may cause; anything else is the database's own trouble. */
function isViewersFault(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.severity !== "FATAL" &&
    codeOf(error) !== LOCK_TIMED_OUT
  );
}

/** Large audiences are asked over several connections at once, each on a processor of its own. */
function inParts(viewers: readonly Viewer[]): (readonly Viewer[])[] {
  const parts = Math.min(MOST_PARTS, Math.ceil(viewers.length / LEAST_IN_PART));
  const size = Math.ceil(viewers.length / Math.max(parts, 1));
  return Array.from({ length: parts }, (_, at) => viewers.slice(at * size, (at + 1) * size));
}

/** Asks row-level security who sees what, over connections of the login requests use. */
export class Visibility {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #quarantined = new Map<string, number>();
  /** One connection for each part the viewers are divided into. */
  readonly #clients = new Map<number, PoolClient>();

  constructor(pool: Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /**
   * Which of the rows each viewer sees now. A policy that raises or hangs for one viewer hides the row from
   * that viewer alone.
   * @throws when the database cannot be asked
   */
  async see(keys: RowKeys, viewers: readonly Viewer[]): Promise<Sight> {
    const sight = new Map<Viewer, ReadonlySet<number>>();
    const asked = viewers
      .filter((viewer) => !this.#isQuarantined(viewer))
      .toSorted((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)));
    for (const viewer of viewers) sight.set(viewer, NOTHING);
    if (asked.length === 0 || keys.rows.length === 0) return sight;
    const timeoutMs = TOGETHER_MS + EACH_MS * asked.length * keys.rows.length;
    try {
      const answers = await Promise.all(
        inParts(asked).map(async (part, at) => {
          const answer = await this.#ask(keys, part, { isCareful: false, timeoutMs }, at);
          return [part, answer] as const;
        }),
      );
      for (const [part, answer] of answers) this.#note(sight, part, answer);
      return sight;
    } catch (error) {
      if (!isViewersFault(error)) throw error;
      this.#log.warn({ err: error, table: keys.table }, "a policy failed for a subscriber");
      if (codeOf(error) === TIMED_OUT) await this.#askAlone(keys, asked, sight);
      else await this.#askCarefully(keys, asked, sight, timeoutMs);
      return sight;
    }
  }

  release(): void {
    for (const client of this.#clients.values()) client.release(true);
    this.#clients.clear();
  }

  async #askCarefully(
    keys: RowKeys,
    viewers: readonly Viewer[],
    sight: Map<Viewer, ReadonlySet<number>>,
    timeoutMs: number,
  ): Promise<void> {
    try {
      this.#note(sight, viewers, await this.#ask(keys, viewers, { isCareful: true, timeoutMs }));
    } catch (error) {
      if (!isViewersFault(error)) throw error;
      await this.#askAlone(keys, viewers, sight);
    }
  }

  async #askAlone(
    keys: RowKeys,
    viewers: readonly Viewer[],
    sight: Map<Viewer, ReadonlySet<number>>,
  ): Promise<void> {
    for (const viewer of viewers) {
      try {
        this.#note(
          sight,
          [viewer],
          await this.#ask(keys, [viewer], { isCareful: true, timeoutMs: ALONE_MS }),
        );
      } catch (error) {
        if (!isViewersFault(error)) throw error;
        if (codeOf(error) === TIMED_OUT) {
          this.#quarantined.set(viewer.key, Date.now() + QUARANTINE_MS);
        }
      }
    }
  }

  #isQuarantined(viewer: Viewer): boolean {
    if (this.#quarantined.size === 0) return false;
    const { key } = viewer;
    const until = this.#quarantined.get(key) ?? 0;
    if (until > Date.now()) return true;
    this.#quarantined.delete(key);
    return false;
  }

  #note(sight: Map<Viewer, ReadonlySet<number>>, viewers: readonly Viewer[], answer: string): void {
    const parts = answer.split(";");
    // Most viewers see the same rows, so most answers are read once for many.
    const known = new Map<string, ReadonlySet<number>>([["", NOTHING]]);
    for (const [at, viewer] of viewers.entries()) {
      const part = parts[at] ?? "";
      let places = known.get(part);
      if (places === undefined) {
        const numbers = part.split(",").filter((place) => place !== "");
        places = new Set(numbers.map((place) => Number(place) - 1));
        known.set(part, places);
      }
      sight.set(viewer, places);
    }
  }

  async #ask(
    keys: RowKeys,
    viewers: readonly Viewer[],
    how: { isCareful: boolean; timeoutMs: number },
    part = 0,
  ): Promise<string> {
    const client = this.#clients.get(part) ?? (await this.#pool.connect());
    this.#clients.set(part, client);
    try {
      const results = (await client.query(
        sightSql(keys, viewers, how),
      )) as unknown as pg.QueryResult<{ sight: string }>[];
      return results.at(-1)?.rows[0]?.sight ?? "";
    } catch (error) {
      if (!isViewersFault(error)) this.release();
      throw error;
    }
  }
}
