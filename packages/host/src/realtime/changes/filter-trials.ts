import { LRUCache } from "lru-cache";
import type pg from "pg";
import { JoinRefused } from "../channels/channel-socket.ts";
import { FairQueue } from "../fair-queue.ts";
import type { Caller } from "../senders.ts";
import { compileFilter, nameColumns, type CompiledFilter } from "./compile-filter.ts";
import type { TableColumn } from "./describe-table.ts";
import { FilterFault, hasPattern, hasRegularExpression, parseFilter } from "./filters.ts";

/** Results that are kept, and the length of their filters together. */
const KEPT_RESULTS = 2_000;
const KEPT_CHARACTERS = 4_000_000;
/** A pattern that was too slow on a busy machine may be tried again. */
const FAULT_KEPT_MS = 30_000;
/** Patterns are tried one at a time, so that they never take all connections. */
const PATTERNS_AT_ONCE = { atOnce: 1, waiting: 200, waitingStrangers: 100, waitingPerCaller: 10 };
/** What trying a pattern costs its caller; any other filter costs 1. */
const PATTERN_COST = 10;

/** Whose filter it is, over what, and how the database is asked. */
interface FilterQuestion {
  oid: string;
  /** The columns its author may select. */
  columns: readonly TableColumn[];
  caller: Caller;
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Tries filters before they are used, and remembers what came of it. */
export class FilterTrials {
  readonly #db: pg.Pool;
  readonly #patterns = new FairQueue(PATTERNS_AT_ONCE);
  readonly #results = new LRUCache<string, CompiledFilter | FilterFault>({
    max: KEPT_RESULTS,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, key) => key.length,
  });

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /**
   * Reads a filter, makes sure that its author may select what it is about, and only then has Postgres try it.
   * @returns undefined for an empty filter
   * @throws {FilterFault}
   * @throws {JoinRefused} when the caller has tried too many
   */
  async compile(
    text: string,
    { oid, columns, caller, inTurn }: FilterQuestion,
  ): Promise<CompiledFilter | undefined> {
    const conditions = parseFilter(text);
    if (conditions.length === 0) return undefined;
    const named = nameColumns(conditions, columns);
    if (caller.isStranger && hasRegularExpression(conditions)) {
      throw new FilterFault("match and imatch need a signed-in account");
    }
    const types = named.map(({ column }) => `${column.name} ${column.sqlType}`);
    const key = JSON.stringify([oid, types, text]);
    const known = this.#results.get(key);
    if (known instanceof FilterFault) throw known;
    if (known !== undefined) return known;
    const isPattern = hasPattern(conditions);
    if (!caller.spend("filterTrials", isPattern ? PATTERN_COST : 1)) {
      throw new JoinRefused("FilterLimitReached: Too many new filters; try again later");
    }
    const work = async () => await compileFilter(this.#db, text, named);
    try {
      const filter = isPattern ? await this.#patterns.run(caller, work) : await inTurn(work);
      this.#results.set(key, filter);
      return filter;
    } catch (error) {
      if (error instanceof FilterFault) this.#results.set(key, error, { ttl: FAULT_KEPT_MS });
      throw error;
    }
  }
}
