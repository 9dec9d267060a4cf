import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { sqlStates } from "../../postgres/sql-states.ts";
import type { CompiledFilter } from "./compiled-filter.ts";
import { parseFilter } from "./filter-conditions.ts";
import { FilterEvaluator } from "./filter-evaluator.ts";

const title = { name: "title", typeName: "text", sqlType: "text" };
const relation = {
  oid: 1,
  schema: "public",
  table: "posters",
  columns: [{ name: "title", isIdentity: false }],
};
const metadata = {
  hasRowSecurity: false,
  columns: [title],
  key: [],
  selectable: new Map<string, ReadonlySet<string>>(),
  rolesReadingKey: new Set<string>(),
  authorizers: new Map<string, string>(),
  deletesReach: null,
};

function filterOf(text: string): CompiledFilter {
  const conditions = parseFilter(text).map((condition) => ({
    condition,
    typeName: "text",
    printed: [],
    check: undefined,
  }));
  return { text, conditions, isLocal: false };
}

function cancelled(): pg.DatabaseError {
  const error = new pg.DatabaseError("canceling statement due to statement timeout", 0, "error");
  error.code = sqlStates.queryCanceled;
  return error;
}

/**
 * A busy database: a statement takes `takesMs`, and every filter it evaluates passes; one with a regular expression
 * never ends.
 */
function busyDatabase(takesMs: number): pg.Pool {
  const query = async (sql: string) => {
    const timeoutMs = Number(/'statement_timeout', '(\d+)'/.exec(sql)?.[1]);
    if (sql.includes(" ~ ") || takesMs > timeoutMs) throw cancelled();
    const passes = Array.from(sql.match(/ like /gi) ?? [], () => true);
    return await Promise.resolve([{ rows: [] }, { rows: [{ passes }] }]);
  };
  return { query } as unknown as pg.Pool;
}

test("a busy database beside endless regular expressions suspends no other filter", async () => {
  const suspended: string[] = [];
  const log = pino({ enabled: false });
  const evaluator = new FilterEvaluator({ db: busyDatabase(400), log, now: () => 0 }, (_, text) =>
    suspended.push(text),
  );
  const endless = Array.from({ length: 5 }, (_, n) => `title=match.(.*)\\1${n}`);
  const harmless = "title=like.a%";
  const filters = [harmless, ...endless].map(filterOf);
  const passed = await evaluator.evaluate(relation, metadata, [["abc"]], filters);
  expect([...(passed[0] ?? [])]).toEqual([harmless]);
  expect(suspended).toEqual(endless);
});
