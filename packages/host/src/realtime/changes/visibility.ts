import { availableParallelism } from "node:os";
import type pg from "pg";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import { isSubscribersFault, isTimeout, Quarantine } from "./quarantine.ts";
import { Readers, type ReadersAnswer } from "./readers.ts";
import { sightSql, type RowKeys, type Sight, type SubscriberIdentity } from "./sight-sql.ts";

/** What all viewers together may take: a fixed part, and a part for each viewer and row. */
const TOGETHER_MS = 2_000;
const EACH_MS = 0.1;
/** What one viewer's policies may take when they have to be asked alone. */
const ALONE_MS = 500;
/** Viewers worth a connection of their own, and connections at most. */
const LEAST_IN_PART = 250;
const MOST_PARTS = Math.min(4, availableParallelism());

const NOTHING: ReadonlySet<number> = new Set();

/** Who is asked about, and which rows. */
export interface SightQuestion {
  /** The table, and the roles of all who listen to it. */
  oid: number;
  roles: readonly string[];
  keys: RowKeys;
  viewers: readonly SubscriberIdentity[];
  /** Functions that answer for many at once, by role. */
  readers: ReadonlyMap<string, string>;
  /** The transactions that wrote the rows. */
  transactions: readonly number[];
}

/** Viewers by the readers that can answer for them; those of none have to be asked for in turn. */
type Groups = ReadonlyMap<string | undefined, readonly SubscriberIdentity[]>;

/** Readers are told accounts, so they can answer for nobody without one. */
function groupByReaders(viewers: readonly SubscriberIdentity[], readers: ReadonlyMap<string, string>): Groups {
  return Map.groupBy(viewers, ({ account, role }) =>
    account === undefined ? undefined : readers.get(role),
  );
}

/** Large audiences are asked over several connections at once, each on a processor of its own. */
function inParts(viewers: readonly SubscriberIdentity[]): (readonly SubscriberIdentity[])[] {
  const parts = Math.min(MOST_PARTS, Math.ceil(viewers.length / LEAST_IN_PART));
  const size = Math.ceil(viewers.length / Math.max(parts, 1));
  return Array.from({ length: parts }, (_, at) => viewers.slice(at * size, (at + 1) * size));
}

/** Asks who sees what: the readers a policy names, else row-level security with the eyes of each viewer. */
export class Visibility {
  readonly #pool: Pool;
  readonly #log: Logger;
  readonly #readers: Readers;
  readonly #quarantined = new Quarantine();
  /** One connection for each part the viewers are divided into. */
  readonly #clients = new Map<number, PoolClient>();
  /** How viewers were grouped last; whoever was asked about once mostly is again, with the same readers. */
  readonly #groups = new WeakMap<
    readonly SubscriberIdentity[],
    { readers: ReadonlyMap<string, string>; groups: Groups }
  >();

  /** The policies are asked over `authenticator`, the login requests use; their readers over `background`, the owner's. */
  constructor(
    { authenticator, background }: Pick<Database, "authenticator" | "background">,
    log: Logger,
  ) {
    this.#pool = authenticator;
    this.#log = log;
    this.#readers = new Readers(background, log);
  }

  /**
   * Which of the rows each viewer sees now.
   * @throws when the database cannot be asked
   */
  async see(question: SightQuestion): Promise<Sight> {
    const { keys } = question;
    if (keys.rows.length === 0) return () => false;
    const answered = new Map<SubscriberIdentity, Sight>();
    const inTurn: SubscriberIdentity[] = [];
    for (const [readers, viewers] of this.#groupsOf(question)) {
      const answer = readers && (await this.#readers.see({ ...question, readers, viewers }));
      if (!answer) inTurn.push(...viewers);
      else for (const viewer of viewers) answered.set(viewer, answer.sight);
    }
    const seen = new Map<SubscriberIdentity, ReadonlySet<number>>();
    // Viewers of the same claims see the same.
    const alike = [...Map.groupBy(inTurn, ({ key }) => key).values()];
    await this.#askInTurn(
      keys,
      alike.flatMap(([first]) => first ?? []),
      seen,
    );
    for (const [first, ...others] of alike) {
      for (const viewer of others) seen.set(viewer, (first && seen.get(first)) ?? NOTHING);
    }
    return (viewer, place) =>
      answered.get(viewer)?.(viewer, place) ?? seen.get(viewer)?.has(place) === true;
  }

  /**
   * The same where it is not known yet that the rows can be seen, nor that their table is still what it was: the
   * answer tells what it is.
   * @returns undefined unless readers can answer for everybody
   */
  async seeAtOnce(question: SightQuestion): Promise<ReadersAnswer | undefined> {
    const [[readers, viewers] = [], ...others] = this.#groupsOf(question);
    if (!readers || !viewers || others.length > 0) return undefined;
    // Whatever fails here is asked again the long way, over a connection taken anew.
    return await this.#readers.see({ ...question, readers, viewers }).catch(() => undefined);
  }

  #groupsOf({ keys, viewers, readers }: SightQuestion): Groups {
    if (!Readers.canAnswer(keys)) return new Map([[undefined, viewers]]);
    const last = this.#groups.get(viewers);
    if (last?.readers === readers) return last.groups;
    const groups = groupByReaders(viewers, readers);
    this.#groups.set(viewers, { readers, groups });
    return groups;
  }

  release(): void {
    this.#readers.release();
    for (const client of this.#clients.values()) client.release(true);
    this.#clients.clear();
  }

  /** A policy that raises or hangs for one viewer hides the row from that viewer alone. */
  async #askInTurn(
    keys: RowKeys,
    viewers: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
  ): Promise<void> {
    const asked = viewers
      .filter((viewer) => !this.#quarantined.has(viewer.key))
      .toSorted((a, b) => (a.role < b.role ? -1 : Number(a.role > b.role)));
    for (const viewer of viewers) seen.set(viewer, NOTHING);
    if (asked.length === 0) return;
    const timeoutMs = TOGETHER_MS + EACH_MS * asked.length * keys.rows.length;
    try {
      const answers = await Promise.all(
        inParts(asked).map(async (part, at) => {
          const answer = await this.#ask(keys, part, { isCareful: false, timeoutMs }, at);
          return [part, answer] as const;
        }),
      );
      for (const [part, answer] of answers) this.#note(seen, part, answer);
    } catch (error) {
      if (!isSubscribersFault(error)) throw error;
      this.#log.warn({ err: error, table: keys.table }, "a policy failed for a subscriber");
      if (isTimeout(error)) await this.#askAlone(keys, asked, seen);
      else await this.#askCarefully(keys, asked, seen, timeoutMs);
    }
  }

  async #askCarefully(
    keys: RowKeys,
    viewers: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
    timeoutMs: number,
  ): Promise<void> {
    try {
      this.#note(seen, viewers, await this.#ask(keys, viewers, { isCareful: true, timeoutMs }));
    } catch (error) {
      if (!isSubscribersFault(error)) throw error;
      await this.#askAlone(keys, viewers, seen);
    }
  }

  async #askAlone(
    keys: RowKeys,
    viewers: readonly SubscriberIdentity[],
    seen: Map<SubscriberIdentity, ReadonlySet<number>>,
  ): Promise<void> {
    for (const viewer of viewers) {
      try {
        this.#note(
          seen,
          [viewer],
          await this.#ask(keys, [viewer], { isCareful: true, timeoutMs: ALONE_MS }),
        );
      } catch (error) {
        if (!isSubscribersFault(error)) throw error;
        if (isTimeout(error)) {
          this.#quarantined.add(viewer.key);
        }
      }
    }
  }

  #note(seen: Map<SubscriberIdentity, ReadonlySet<number>>, viewers: readonly SubscriberIdentity[], answer: string): void {
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
      seen.set(viewer, places);
    }
  }

  async #ask(
    keys: RowKeys,
    viewers: readonly SubscriberIdentity[],
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
      if (!isSubscribersFault(error)) this.release();
      throw error;
    }
  }
}
