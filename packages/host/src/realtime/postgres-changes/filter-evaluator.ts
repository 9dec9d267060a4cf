// Applies subscribers' filters to changed rows, and suspends filters that take Postgres too long.

import type pg from "pg";
import type { Logger } from "pino";
import type { CompiledFilter } from "./compiled-filter.ts";
import { positionsIn, type TableMetadata } from "./table-metadata.ts";
import { conditionSql, filterTimeoutMs, hasRegex, operandOf } from "./filter-conditions.ts";
import { arrayItem, newDollarQuote } from "./sql-literals.ts";
import type { WalRelation, Tuple } from "./pgoutput.ts";
import { isSubscriberError, isTimeout, Quarantine } from "./quarantine.ts";

/** Timeout of a query for several filters: a fixed part, and a part for each filter and row. */
const batchTimeoutMs = 1_000;
const timeoutPerFilterAndRowMs = 0.01;
/** Time shared by filters that are evaluated one by one, and the least each of them gets. */
const oneByOneBudgetMs = 2_000;
const minTimeoutMs = 20;

/** The rows to evaluate filters for. */
interface EvaluationInput {
  relation: WalRelation;
  metadata: TableMetadata;
  tuples: readonly (Tuple | undefined)[];
}

/** For each filter whether each row passes; null as in SQL. */
type FilterResults = ReadonlyMap<CompiledFilter, readonly (boolean | null)[]>;

function evaluateLocally(
  filter: CompiledFilter,
  { relation, tuples }: Pick<EvaluationInput, "relation" | "tuples">,
): boolean[] {
  const positions = positionsIn(relation);
  return tuples.map((tuple) =>
    filter.conditions.every(({ condition, check }) => {
      const value = tuple?.[positions.get(condition.column) ?? -1];
      return value !== undefined && check?.(value) === true;
    }),
  );
}

/** For each tuple, the texts of those filters it passes that are evaluated in this process. */
export function evaluateLocalFilters(
  relation: WalRelation,
  tuples: readonly (Tuple | undefined)[],
  filters: readonly CompiledFilter[],
): Set<string>[] {
  const passed = tuples.map(() => new Set<string>());
  for (const filter of filters.filter(({ isLocal }) => isLocal)) {
    for (const [at, passes] of evaluateLocally(filter, { relation, tuples }).entries()) {
      if (passes) passed[at]?.add(filter.text);
    }
  }
  return passed;
}

/** True when the log carries every column of the filter; for a deleted row it may carry only the key. */
function hasAllColumns(
  filter: CompiledFilter,
  relation: WalRelation,
  tuple: Tuple | undefined,
): boolean {
  const positions = positionsIn(relation);
  return filter.conditions.every(
    ({ condition }) => tuple?.[positions.get(condition.column) ?? -1] !== undefined,
  );
}

function isRegex({ conditions }: CompiledFilter): boolean {
  return hasRegex(conditions.map(({ condition }) => condition));
}

/** One round trip and one transaction, so that the timeout applies to nothing else. */
function evaluationSql(
  { relation, metadata, tuples }: EvaluationInput,
  filters: readonly CompiledFilter[],
  timeoutMs: number,
): string {
  const positions = positionsIn(relation);
  const types = new Map(metadata.columns.map(({ name, sqlType }) => [name, sqlType]));
  const quote = newDollarQuote();
  const array = (items: readonly (string | null)[]) =>
    `${quote}{${items.map(arrayItem).join(",")}}${quote}`;
  const conditions = filters.flatMap((filter) => filter.conditions);
  const columns = [...new Set(conditions.map(({ condition }) => condition.column))];
  const arrays = columns.map((name) => {
    const position = positions.get(name) ?? -1;
    return `${array(tuples.map((tuple) => tuple?.[position] ?? null))}::text[]`;
  });
  const expressions = filters.map((filter) => {
    const all = filter.conditions.map(({ condition }) => {
      const type = types.get(condition.column) ?? "text";
      const operand = operandOf(condition);
      const literal = typeof operand === "string" ? `${quote}${operand}${quote}` : array(operand);
      const value = `c${columns.indexOf(condition.column)}::${type}`;
      return conditionSql(condition, value, type, literal);
    });
    return `(${all.join(" and ")})`;
  });
  return `select set_config('statement_timeout', '${Math.ceil(timeoutMs)}', true), set_config('jit', 'off', true);
    select array[${expressions.join(", ")}] as passes
      from unnest(${arrays.join(", ")}) with ordinality as r(${columns.map((_, at) => `c${at}`).join(", ")}, n)
     order by n`;
}

/** Decides which changes pass which filters: equality in this process, everything else in Postgres. */
export class FilterEvaluator {
  readonly #db: pg.Pool;
  readonly #log: Logger;
  readonly #quarantined: Quarantine;
  readonly #onSuspended: (relation: WalRelation, filterText: string) => void;

  /** @param onSuspended called for each filter that times out */
  constructor(
    { db, log, now }: { db: pg.Pool; log: Logger; now: () => number },
    onSuspended: (relation: WalRelation, filterText: string) => void,
  ) {
    this.#db = db;
    this.#log = log;
    this.#quarantined = new Quarantine(now);
    this.#onSuspended = onSuspended;
  }

  /**
   * Returns, for each tuple, the texts of the filters it passes. Any client can write a filter that runs forever, so
   * one that times out or raises passes nothing and is suspended for a while.
   * @throws when the database cannot be queried
   */
  async evaluate(
    relation: WalRelation,
    metadata: TableMetadata,
    tuples: readonly (Tuple | undefined)[],
    filters: readonly CompiledFilter[],
  ): Promise<ReadonlySet<string>[]> {
    const input = { relation, metadata, tuples };
    const passed = evaluateLocalFilters(relation, tuples, filters);
    const names = new Set(metadata.columns.map(({ name }) => name));
    const evaluated = filters.filter(
      (filter) =>
        !filter.isLocal &&
        !this.#quarantined.has(keyOf(relation, filter)) &&
        filter.conditions.every(({ condition }) => names.has(condition.column)),
    );
    if (evaluated.length === 0) return passed;
    for (const [filter, results] of await this.#query(input, evaluated)) {
      for (const [at, tuple] of tuples.entries()) {
        if (results[at] === true && hasAllColumns(filter, relation, tuple))
          passed[at]?.add(filter.text);
      }
    }
    return passed;
  }

  async #query(input: EvaluationInput, filters: readonly CompiledFilter[]): Promise<FilterResults> {
    const timeoutMs =
      batchTimeoutMs + timeoutPerFilterAndRowMs * filters.length * input.tuples.length;
    if (filters.length === 1) return await this.#queryOneByOne(input, filters, Infinity);
    try {
      return await this.#runQuery(input, filters, timeoutMs);
    } catch (error) {
      if (!isSubscriberError(error)) throw error;
      const { schema, table } = input.relation;
      this.#log.warn({ err: error, schema, table }, "filters failed together");
      return await this.#queryApart(input, filters, isTimeout(error) ? timeoutMs : Infinity);
    }
  }

  /**
   * Evaluates filters that failed together. Those without a regular expression are rarely the cause, so they are tried
   * together first: a filter that is evaluated on its own has little time, and a busy database takes it for slow.
   */
  async #queryApart(
    input: EvaluationInput,
    filters: readonly CompiledFilter[],
    togetherMs: number,
  ): Promise<FilterResults> {
    const likely = filters.filter((filter) => isRegex(filter));
    const unlikely = filters.filter((filter) => !isRegex(filter));
    if (likely.length === 0 || unlikely.length === 0) {
      return await this.#queryOneByOne(input, filters, togetherMs);
    }
    // Half the time for each part, so that two parts that are fast enough apart were so together.
    const partMs = togetherMs / 2;
    let answers: FilterResults;
    try {
      answers = await this.#runQuery(input, unlikely, Math.min(partMs, batchTimeoutMs));
    } catch (error) {
      if (!isSubscriberError(error)) throw error;
      answers = await this.#queryOneByOne(input, unlikely, partMs);
    }
    return new Map([...answers, ...(await this.#queryOneByOne(input, likely, partMs))]);
  }

  /**
   * Evaluates one filter after the other. Time that fast ones leave goes to the following ones.
   * @param togetherMs where none takes too long, but all of them take longer than this, the slower ones are suspended
   */
  async #queryOneByOne(
    input: EvaluationInput,
    filters: readonly CompiledFilter[],
    togetherMs: number,
  ): Promise<FilterResults> {
    const answers = new Map<CompiledFilter, readonly (boolean | null)[]>();
    const took = new Map<CompiledFilter, number>();
    let leftMs = oneByOneBudgetMs;
    for (const [at, filter] of filters.entries()) {
      const shareMs = Math.max(leftMs / (filters.length - at), minTimeoutMs);
      const begun = performance.now();
      try {
        const answer = await this.#runQuery(input, [filter], Math.min(shareMs, filterTimeoutMs));
        for (const [one, results] of answer) answers.set(one, results);
      } catch (error) {
        if (!isSubscriberError(error)) throw error;
        this.#suspend(input.relation, filter, error);
        if (isTimeout(error)) this.#onSuspended(input.relation, filter.text);
      }
      const ms = performance.now() - begun;
      took.set(filter, ms);
      leftMs -= ms;
    }
    const allMs = oneByOneBudgetMs - leftMs;
    if (allMs > togetherMs && answers.size === filters.length) {
      const meanMs = allMs / filters.length;
      for (const [filter, ms] of took) {
        if (ms > meanMs) this.#suspend(input.relation, filter, undefined);
      }
    }
    return answers;
  }

  #suspend(relation: WalRelation, filter: CompiledFilter, error: unknown): void {
    const { schema, table } = relation;
    this.#log.warn({ err: error, schema, table }, "a filter is left out for a while");
    this.#quarantined.add(keyOf(relation, filter));
  }

  async #runQuery(
    input: EvaluationInput,
    filters: readonly CompiledFilter[],
    timeoutMs: number,
  ): Promise<FilterResults> {
    const results = (await this.#db.query(
      evaluationSql(input, filters, timeoutMs),
    )) as unknown as pg.QueryResult<{ passes: (boolean | null)[] }>[];
    const rows = results.at(-1)?.rows ?? [];
    return new Map(
      filters.map((filter, place) => [filter, rows.map(({ passes }) => passes[place] ?? null)]),
    );
  }
}

function keyOf(relation: WalRelation, filter: CompiledFilter): string {
  return `${relation.oid} ${filter.text}`;
}
