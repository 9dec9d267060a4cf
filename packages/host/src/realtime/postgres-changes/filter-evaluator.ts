import type pg from "pg";
import type { Logger } from "pino";
import type { CompiledFilter } from "./compiled-filter.ts";
import { positionsIn, type TableMetadata } from "./table-metadata.ts";
import { conditionSql, filterTimeoutMs, operandOf } from "./filter-conditions.ts";
import { arrayItem, newDollarQuote } from "./sql-literals.ts";
import type { Relation, Tuple } from "./pgoutput.ts";
import { isSubscriberError, isTimeout, Quarantine } from "./quarantine.ts";

/** What all filters together may take: a fixed part, and a part for each filter and row. */
const batchTimeoutMs = 1_000;
const timeoutPerFilterAndRowMs = 0.01;
/** What is shared out when filters have to be asked alone, and the least one of them gets. */
const oneByOneBudgetMs = 2_000;
const minTimeoutMs = 20;

/** The rows that filters are asked about. */
interface EvaluationInput {
  relation: Relation;
  metadata: TableMetadata;
  tuples: readonly (Tuple | undefined)[];
}

/** For each filter whether each row passes; null where Postgres does not know. */
type FilterResults = ReadonlyMap<CompiledFilter, readonly (boolean | null)[]>;

function evaluateLocally(filter: CompiledFilter, { relation, tuples }: EvaluationInput): boolean[] {
  const positions = positionsIn(relation);
  return tuples.map((tuple) =>
    filter.conditions.every(({ condition, check }) => {
      const value = tuple?.[positions.get(condition.column) ?? -1];
      return value !== undefined && check?.(value) === true;
    }),
  );
}

/** True when the log told all that the filter is about; of a row that is gone it may tell the key alone. */
function hasAllColumns(
  filter: CompiledFilter,
  relation: Relation,
  tuple: Tuple | undefined,
): boolean {
  const positions = positionsIn(relation);
  return filter.conditions.every(
    ({ condition }) => tuple?.[positions.get(condition.column) ?? -1] !== undefined,
  );
}

/** One round trip and one transaction, so that the time it may take is set for nothing else. */
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
  const verdicts = filters.map((filter) => {
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
    select array[${verdicts.join(", ")}] as passes
      from unnest(${arrays.join(", ")}) with ordinality as r(${columns.map((_, at) => `c${at}`).join(", ")}, n)
     order by n`;
}

/** Decides which changes pass which filters: here where equality will do, in Postgres everything else. */
export class FilterEvaluator {
  readonly #db: pg.Pool;
  readonly #log: Logger;
  readonly #quarantined = new Quarantine();

  readonly #onSuspended: (relation: Relation, filterText: string) => void;

  /** @param onSuspended told of each filter that takes too long */
  constructor(
    db: pg.Pool,
    log: Logger,
    onSuspended: (relation: Relation, filterText: string) => void,
  ) {
    this.#db = db;
    this.#log = log;
    this.#onSuspended = onSuspended;
  }

  /**
   * For each tuple, the texts of the filters it passes. Anybody may write a filter that takes for ever, so
   * one that takes too long or raises passes nothing, and is not asked again for a while.
   * @throws when the database cannot be asked
   */
  async evaluate(
    relation: Relation,
    metadata: TableMetadata,
    tuples: readonly (Tuple | undefined)[],
    filters: readonly CompiledFilter[],
  ): Promise<ReadonlySet<string>[]> {
    const question = { relation, metadata, tuples };
    const passed = tuples.map(() => new Set<string>());
    for (const filter of filters.filter(({ isLocal }) => isLocal)) {
      for (const [at, passes] of evaluateLocally(filter, question).entries()) {
        if (passes) passed[at]?.add(filter.text);
      }
    }
    const names = new Set(metadata.columns.map(({ name }) => name));
    const asked = filters.filter(
      (filter) =>
        !filter.isLocal &&
        !this.#quarantined.has(keyOf(relation, filter)) &&
        filter.conditions.every(({ condition }) => names.has(condition.column)),
    );
    if (asked.length === 0) return passed;
    for (const [filter, verdicts] of await this.#query(question, asked)) {
      for (const [at, tuple] of tuples.entries()) {
        if (verdicts[at] === true && hasAllColumns(filter, relation, tuple))
          passed[at]?.add(filter.text);
      }
    }
    return passed;
  }

  async #query(
    question: EvaluationInput,
    filters: readonly CompiledFilter[],
  ): Promise<FilterResults> {
    if (filters.length === 1) return await this.#queryOneByOne(question, filters);
    const timeoutMs =
      batchTimeoutMs + timeoutPerFilterAndRowMs * filters.length * question.tuples.length;
    try {
      return await this.#runQuery(question, filters, timeoutMs);
    } catch (error) {
      if (!isSubscriberError(error)) throw error;
      const { schema, table } = question.relation;
      this.#log.warn({ err: error, schema, table }, "filters failed together");
      return await this.#queryOneByOne(question, filters, isTimeout(error) ? timeoutMs : Infinity);
    }
  }

  /** Asks one after the other. What quick ones leave over of their share goes to those that follow. */
  async #queryOneByOne(
    question: EvaluationInput,
    filters: readonly CompiledFilter[],
    togetherMs = Infinity,
  ): Promise<FilterResults> {
    const answers = new Map<CompiledFilter, readonly (boolean | null)[]>();
    const took = new Map<CompiledFilter, number>();
    let leftMs = oneByOneBudgetMs;
    for (const [at, filter] of filters.entries()) {
      const shareMs = Math.max(leftMs / (filters.length - at), minTimeoutMs);
      const begun = performance.now();
      try {
        const answer = await this.#runQuery(question, [filter], Math.min(shareMs, filterTimeoutMs));
        for (const [one, verdicts] of answer) answers.set(one, verdicts);
      } catch (error) {
        if (!isSubscriberError(error)) throw error;
        this.#suspend(question.relation, filter, error);
        if (isTimeout(error)) this.#onSuspended(question.relation, filter.text);
      }
      const ms = performance.now() - begun;
      took.set(filter, ms);
      leftMs -= ms;
    }
    // None took too long alone, yet all together do: without the slower ones the next changes go faster.
    const allMs = oneByOneBudgetMs - leftMs;
    if (allMs > togetherMs && answers.size === filters.length) {
      const meanMs = allMs / filters.length;
      for (const [filter, ms] of took) {
        if (ms > meanMs) this.#suspend(question.relation, filter, undefined);
      }
    }
    return answers;
  }

  #suspend(relation: Relation, filter: CompiledFilter, error: unknown): void {
    const { schema, table } = relation;
    this.#log.warn({ err: error, schema, table }, "a filter is left out for a while");
    this.#quarantined.add(keyOf(relation, filter));
  }

  async #runQuery(
    question: EvaluationInput,
    filters: readonly CompiledFilter[],
    timeoutMs: number,
  ): Promise<FilterResults> {
    const results = (await this.#db.query(
      evaluationSql(question, filters, timeoutMs),
    )) as unknown as pg.QueryResult<{ passes: (boolean | null)[] }>[];
    const rows = results.at(-1)?.rows ?? [];
    return new Map(
      filters.map((filter, place) => [filter, rows.map(({ passes }) => passes[place] ?? null)]),
    );
  }
}

function keyOf(relation: Relation, filter: CompiledFilter): string {
  return `${relation.oid} ${filter.text}`;
}
