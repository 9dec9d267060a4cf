import { LRUCache } from "lru-cache";
import type pg from "pg";
import { JoinError } from "../channels/channel-socket.ts";
import { FairQueue } from "../limits/fair-queue.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import { compileFilter, bindColumns, type CompiledFilter } from "./compiled-filter.ts";
import type { TableColumn } from "./table-metadata.ts";
import { FilterError, hasPattern, hasRegex, parseFilter } from "./filter-conditions.ts";

/** Results that are kept, and the length of their filters together. */
const maxCachedFilters = 2_000;
const maxCachedCharacters = 4_000_000;
/** A pattern that was too slow on a busy machine may be tried again. */
const cachedErrorMs = 30_000;
/** Patterns are tried one at a time, so that they never take all connections. */
const patternQueueLimits = { concurrency: 1, waiting: 200, waitingAnon: 100, waitingPerCaller: 10 };
/** What trying a pattern costs its caller; any other filter costs 1. */
const patternCost = 10;

/** Whose filter it is, over what, and how the database is asked. */
interface FilterContext {
  oid: string;
  /** The columns its author may select. */
  columns: readonly TableColumn[];
  caller: RealtimeCaller;
  runQueued: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Tries filters before they are used, and remembers what came of it. */
export class FilterCompiler {
  readonly #db: pg.Pool;
  readonly #patterns = new FairQueue(patternQueueLimits);
  readonly #results = new LRUCache<string, CompiledFilter | FilterError>({
    max: maxCachedFilters,
    maxSize: maxCachedCharacters,
    sizeCalculation: (_, key) => key.length,
  });

  constructor(db: pg.Pool) {
    this.#db = db;
  }

  /**
   * Reads a filter, makes sure that its author may select what it is about, and only then has Postgres try it.
   * @returns undefined for an empty filter
   * @throws {FilterError}
   * @throws {JoinError} when the caller has tried too many
   */
  async compile(
    text: string,
    { oid, columns, caller, runQueued }: FilterContext,
  ): Promise<CompiledFilter | undefined> {
    const conditions = parseFilter(text);
    if (conditions.length === 0) return undefined;
    const named = bindColumns(conditions, columns);
    if (caller.isAnon && hasRegex(conditions)) {
      throw new FilterError("match and imatch need a signed-in account");
    }
    const types = named.map(({ column }) => `${column.name} ${column.sqlType}`);
    const key = JSON.stringify([oid, types, text]);
    const known = this.#results.get(key);
    if (known instanceof FilterError) throw known;
    if (known !== undefined) return known;
    const isPattern = hasPattern(conditions);
    if (!caller.spend("filterTrials", isPattern ? patternCost : 1)) {
      throw new JoinError("FilterLimitReached: Too many new filters; try again later");
    }
    const work = async () => await compileFilter(this.#db, text, named);
    try {
      const filter = isPattern ? await this.#patterns.run(caller, work) : await runQueued(work);
      this.#results.set(key, filter);
      return filter;
    } catch (error) {
      if (error instanceof FilterError) this.#results.set(key, error, { ttl: cachedErrorMs });
      throw error;
    }
  }
}
