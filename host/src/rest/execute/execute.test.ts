import pg from "pg";
import { describe, expect, it } from "vitest";
import { Batch, Prepared } from "./batch.ts";
import { answerTo } from "./database-errors.ts";
import { runWork, type Work } from "./run.ts";

function failure(code: string, message = "no", more: Partial<pg.DatabaseError> = {}) {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code, ...more });
}

describe("SQLSTATE to status", () => {
  it.each([
    ["08006", 503],
    ["23503", 409],
    ["23505", 409],
    ["23514", 400],
    ["22P02", 400],
    ["25006", 405],
    ["28000", 403],
    ["40001", 500],
    ["42P01", 404],
    ["42883", 404],
    ["42703", 400],
    ["42P17", 500],
    ["53300", 503],
    ["53400", 500],
    ["54001", 400],
    ["57014", 500],
    ["57P01", 503],
    ["P0001", 400],
    ["P0002", 500],
    ["XX000", 500],
    ["PT403", 403],
    ["PT999", 500],
    ["PTabc", 500],
  ])("%s gives %i", (code, status) => {
    expect(answerTo(failure(code), true).status).toBe(status);
  });

  it("a missing privilege asks a stranger to sign in", () => {
    expect(answerTo(failure("42501"), true).status).toBe(403);
    const stranger = answerTo(failure("42501"), false);
    expect(stranger.status).toBe(401);
    expect(stranger.headers["www-authenticate"]).toBe("Bearer");
  });

  it("a role that is not there is a bad token", () => {
    expect(answerTo(failure("22023", 'role "x" does not exist'), true).status).toBe(401);
    expect(answerTo(failure("22023"), true).status).toBe(400);
  });
});

describe("hints", () => {
  it("of Postgres on names are kept back, those of a function are not", () => {
    const hint = "Perhaps you meant to reference the column";
    expect(answerTo(failure("42703", "no", { hint }), true).body.hint).toBeNull();
    const raised = failure("42501", "no", { hint: "ask", routine: "exec_stmt_raise" });
    expect(answerTo(raised, true).body.hint).toBe("ask");
  });
});

describe("prepared statements", () => {
  it("are named once and the longest unused makes room", () => {
    const prepared = new Prepared();
    const first = prepared.add("0");
    const second = prepared.add("1");
    for (let n = 2; n < 200; n += 1) prepared.add(`${n}`);
    expect(prepared.find("0")).toBe(first);
    prepared.add("200");
    expect(prepared.find("1")).toBeUndefined();
    expect(prepared.find("0")).toBe(first);
    expect(prepared.takeDiscarded()).toEqual([second]);
    expect(prepared.takeDiscarded()).toEqual([]);
  });
});

describe("a batch", () => {
  type Sent = [string, unknown];

  function wire(): { connection: pg.Connection; sent: Sent[] } {
    const sent: Sent[] = [];
    const note = (kind: string) => (message: unknown) => sent.push([kind, message]);
    const connection = {
      stream: { cork: () => undefined, uncork: () => undefined },
      parse: note("parse"),
      bind: note("bind"),
      execute: note("execute"),
      close: note("close"),
      sync: note("sync"),
    };
    return { connection: connection as unknown as pg.Connection, sent };
  }
  const kinds = (sent: Sent[]) => sent.map(([kind]) => kind);
  const statements = [{ key: "a", text: "select $1", values: ["1"] }];

  it("prepares a statement once and sends everything with one Sync", async () => {
    const prepared = new Prepared();
    const first = wire();
    const batch = new Batch([...statements, { text: "commit", values: [] }], prepared);
    batch.submit(first.connection);
    expect(kinds(first.sent)).toEqual([
      "parse",
      "bind",
      "execute",
      "parse",
      "bind",
      "execute",
      "sync",
    ]);
    batch.handleDataRow({ fields: ["1"] });
    batch.handleCommandComplete();
    batch.handleCommandComplete();
    batch.handleReadyForQuery();
    expect(await batch.results).toEqual([[["1"]], []]);
    const second = wire();
    new Batch(statements, prepared).submit(second.connection);
    expect(kinds(second.sent)).toEqual(["bind", "execute", "sync"]);
  });

  it("that fails leaves no statement behind: the next one closes what it prepared", async () => {
    const prepared = new Prepared();
    const first = wire();
    const batch = new Batch(statements, prepared);
    batch.submit(first.connection);
    batch.handleError(new Error("no"));
    await expect(batch.results).rejects.toThrow("no");
    const second = wire();
    new Batch(statements, prepared).submit(second.connection);
    expect(kinds(second.sent)).toEqual(["close", "parse", "bind", "execute", "sync"]);
    const name: unknown = Reflect.get(Object(first.sent[0]?.[1]), "name");
    expect(second.sent[0]?.[1]).toEqual({ type: "S", name });
  });
});

describe("a database that cannot be asked", () => {
  const work: Work = {
    settings: [["role", "anon"]],
    planKey: "",
    readOnly: true,
    isolation: undefined,
    preRequest: undefined,
    main: { text: "select 1", values: [] },
    explain: undefined,
    decide: undefined,
  };

  it.each([
    ["timeout exceeded when trying to connect", 504, "PGRST003"],
    ["connect ECONNREFUSED 127.0.0.1:5432", 503, "PGRST000"],
  ])("%s", async (message, status, code) => {
    const pool = { connect: async () => await Promise.reject(new Error(message)) };
    await expect(runWork(pool as unknown as pg.Pool, work)).rejects.toMatchObject({
      status,
      body: { code },
    });
  });
});
