// Quota of the filters that only Postgres can evaluate, which cost a query for every batch of changes.

import type { CallerLimits } from "../limits/realtime-limits.ts";
import type { RealtimeCaller } from "../limits/caller-registry.ts";

type FilterCaller = Pick<RealtimeCaller, "name" | "isAnon"> & {
  limits: Pick<CallerLimits, "databaseFilters">;
};

/** Share of all filters that anonymous clients may have. */
const anonShare = 0.5;

/** Limits the filters that Postgres evaluates, over all sockets. */
export class DatabaseFilterQuota {
  readonly #limit: number;
  readonly #byFilter = new Map<string, number>();
  readonly #byCaller = new Map<string, number>();

  /** @param limit different filters over all callers */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false and counts nothing above a limit. Equal filters count once in total, and each time for their caller. */
  reserve(caller: FilterCaller, filters: readonly string[]): boolean {
    const isNew = filters.filter((filter) => !this.#byFilter.has(filter)).length;
    const limit = this.#limit * (caller.isAnon ? anonShare : 1);
    const own = (this.#byCaller.get(caller.name) ?? 0) + filters.length;
    if (own > caller.limits.databaseFilters) return false;
    if (isNew > 0 && this.#byFilter.size + isNew > limit) return false;
    for (const filter of filters) count(this.#byFilter, filter, 1);
    count(this.#byCaller, caller.name, filters.length);
    return true;
  }

  release(caller: Pick<RealtimeCaller, "name">, filters: readonly string[]): void {
    for (const filter of filters) count(this.#byFilter, filter, -1);
    count(this.#byCaller, caller.name, -filters.length);
  }
}

function count(counts: Map<string, number>, name: string, more: number): void {
  const now = (counts.get(name) ?? 0) + more;
  if (now > 0) counts.set(name, now);
  else counts.delete(name);
}
