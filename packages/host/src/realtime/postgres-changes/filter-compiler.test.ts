import pg from "pg";
import { expect, test } from "vitest";
import type { RealtimeCaller } from "../limits/caller-registry.ts";
import { sqlStates } from "../../postgres/sql-states.ts";
import { realtimeDefaults } from "../limits/realtime-limits.ts";
import { FilterCompiler } from "./filter-compiler.ts";

const columns = [
  { name: "id", typeName: "int4", sqlType: "integer" },
  { name: "title", typeName: "text", sqlType: "text" },
];

function statementTimeout(): pg.DatabaseError {
  const error = new pg.DatabaseError("canceling statement due to statement timeout", 0, "error");
  error.code = sqlStates.queryCanceled;
  return error;
}

/** A filter compiler over a database that returns the operands, counts queries, and lets some time out. */
function trials(isAnon = false) {
  const seen = { asked: 0, spent: 0, mayTry: true, timeouts: 0 };
  const query = async (statement: string, values: unknown[]) => {
    if (!statement.includes("printed0")) return await Promise.resolve({ rows: [] });
    seen.asked += 1;
    if (seen.asked <= seen.timeouts) throw statementTimeout();
    return { rows: [{ printed0: [values[0]].flat() }] };
  };
  const client = { query, release: () => undefined };
  const db = { connect: async () => await Promise.resolve(client) } as unknown as pg.Pool;
  const caller: RealtimeCaller = {
    name: "account 1",
    limits: realtimeDefaults.authenticated,
    isAnon,
    block: () => undefined,
    spend: (_, amount) => {
      seen.spent += amount;
      return seen.mayTry;
    },
  };
  const filters = new FilterCompiler(db);
  const runQueued = async <T>(work: () => Promise<T>) => await work();
  const compile = async (text: string) =>
    await filters.compile(text, { oid: "1", columns, caller, runQueued });
  return { seen, compile };
}

test("a filter is validated once for all callers, and patterns cost more", async () => {
  const { seen, compile } = trials();
  const first = await compile("id=eq.1");
  expect(await compile("id=eq.1")).toBe(first);
  expect(seen).toMatchObject({ asked: 1, spent: 1 });
  await compile("title=match.^a");
  expect(seen).toMatchObject({ asked: 2, spent: 11 });
});

test("a column that may not be selected is rejected before any query", async () => {
  const { seen, compile } = trials();
  await expect(compile("secret=eq.1")).rejects.toThrow("invalid column for filter secret");
  await expect(compile("title=match.(a?){99},secret=eq.1")).rejects.toThrow("invalid column");
  await expect(compile(`title=eq.${"x".repeat(8_000)}`)).rejects.toThrow("too long");
  expect(seen).toMatchObject({ asked: 0, spent: 0 });
});

test("anonymous clients may not use regular expressions", async () => {
  const { seen, compile } = trials(true);
  for (const operator of ["match", "imatch"]) {
    await expect(compile(`title=${operator}.a`)).rejects.toThrow("need a signed-in account");
  }
  expect(seen.asked).toBe(0);
  await compile("title=like.a%");
  expect(seen.asked).toBe(1);
});

test("a caller over its limit can only use cached filters", async () => {
  const { seen, compile } = trials();
  await compile("id=eq.1");
  seen.mayTry = false;
  await expect(compile("id=eq.2")).rejects.toThrow("FilterLimitReached");
  expect(await compile("id=eq.1")).toBeDefined();
  expect(seen.asked).toBe(1);
});

test("a regular expression that times out once on a busy database is tried again, and only once", async () => {
  const busy = trials();
  busy.seen.timeouts = 1;
  expect(await busy.compile("title=match.^a")).toMatchObject({ text: "title=match.^a" });
  const endless = trials();
  endless.seen.timeouts = Infinity;
  await expect(endless.compile("title=match.^a")).rejects.toThrow("statement timeout");
  expect(endless.seen.asked).toBe(2);
});
