// Guards the validation of subscription filters: privileges and rate limits first, then Postgres, with a cache.

import { LRUCache } from "lru-cache";
import type pg from "pg";
import { JoinError } from "../channels/channel-socket.ts";
import { FairQueue } from "../limits/fair-queue.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import { compileFilter, bindColumns, type CompiledFilter } from "./compiled-filter.ts";
import type { TableColumn } from "./table-metadata.ts";
import { FilterError, hasPattern, hasRegex, parseFilter } from "./filter-conditions.ts";

/** Limits of the cache, in filters and in characters. */
const maxCachedFilters = 2_000;
const maxCachedCharacters = 4_000_000;
/** How long errors are cached. A pattern that was too slow on a busy machine can be tried again. */
const cachedErrorMs = 30_000;
/** Patterns are validated one at a time, so that they never use all connections. */
const patternQueueLimits = { concurrency: 1, waiting: 200, waitingAnon: 100, waitingPerCaller: 10 };
/** Cost of a pattern in `filterValidations`; any other filter costs 1. */
const patternCost = 10;

/** The table and caller of a filter, and how to queue a query. */
interface FilterContext {
  oid: string;
  /** The columns its author may select. */
  columns: readonly TableColumn[];
  caller: RealtimeCaller;
  runQueued: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Validates filters before they are used, and caches the results. */
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
   * Parses a filter, checks that its author may select its columns, and only then lets Postgres validate it.
   * @returns undefined for an empty filter
   * @throws {FilterError}
   * @throws {JoinError} when the caller is over its limit
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
    if (!caller.spend("filterValidations", isPattern ? patternCost : 1)) {
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
