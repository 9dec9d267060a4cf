import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { DatabaseBusyError } from "../../postgres/database-busy.ts";
import { Batch } from "./batch.ts";
import { toRestError } from "./database-errors.ts";
import { planBytes, PreparedStatements } from "./prepared-statements.ts";
import { MessageLengthTracker } from "./row-size-guard.ts";
import { runTransaction, type Transaction } from "./transaction.ts";

function failure(code: string, message = "no", more: Partial<pg.DatabaseError> = {}) {
  return Object.assign(new pg.DatabaseError(message, 0, "error"), { code, ...more });
}

describe("status of a SQLSTATE", () => {
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
    expect(toRestError(failure(code), true).status).toBe(status);
  });

  it("a missing privilege is 401 for an anonymous caller and 403 otherwise", () => {
    expect(toRestError(failure("42501"), true).status).toBe(403);
    const unauthenticated = toRestError(failure("42501"), false);
    expect(unauthenticated.status).toBe(401);
    expect(unauthenticated.headers["www-authenticate"]).toBe("Bearer");
  });

  it("a role that does not exist is an invalid token", () => {
    expect(toRestError(failure("22023", 'role "x" does not exist'), true).status).toBe(401);
    expect(toRestError(failure("22023"), true).status).toBe(400);
  });
});

describe("hints", () => {
  it("from Postgres about names are left out, those from functions are kept", () => {
    const hint = "Perhaps you meant to reference the column";
    expect(toRestError(failure("42703", "no", { hint }), true).body.hint).toBeNull();
    const raised = failure("42501", "no", { hint: "ask", routine: "exec_stmt_raise" });
    expect(toRestError(raised, true).body.hint).toBe("ask");
  });
});

describe("prepared statements", () => {
  let count = 0;
  /** A statement that no other test has sent. */
  const fresh = () => {
    count += 1;
    return `statement ${count}`;
  };

  it("get a name on their second use, on any connection", () => {
    const [one, two] = [new PreparedStatements(), new PreparedStatements()];
    const id = fresh();
    expect(one.nameFor(id, id)).toEqual({ name: "", isNew: true });
    const { name, isNew } = two.nameFor(id, id);
    expect([name, isNew]).toEqual(["rest1", true]);
    expect(two.nameFor(id, id)).toEqual({ name, isNew: false });
    expect(one.nameFor(id, id)).toEqual({ name: "rest1", isNew: true });
  });

  it("stay within a budget of bytes: the least recently used is closed", () => {
    const text = "x".repeat(100);
    const prepared = new PreparedStatements(planBytes(text) * 2);
    const [first, second, third] = [fresh(), fresh(), fresh()];
    for (const id of [first, second, third]) prepared.nameFor(id, text);
    expect(prepared.nameFor(first, text).name).toBe("rest1");
    expect(prepared.nameFor(second, text).name).toBe("rest2");
    expect(prepared.nameFor(first, text).isNew).toBe(false);
    prepared.nameFor(third, text);
    expect(prepared.takeDiscarded()).toEqual(["rest2"]);
    expect(prepared.takeDiscarded()).toEqual([]);
    expect(prepared.nameFor(first, text).isNew).toBe(false);
    expect(prepared.nameFor(second, text).isNew).toBe(true);
  });

  it("that are larger than the whole budget are never kept", () => {
    const prepared = new PreparedStatements(planBytes("") * 2);
    const [id, text] = [fresh(), "x".repeat(1000)];
    for (let n = 0; n < 3; n += 1) {
      expect(prepared.nameFor(id, text)).toEqual({ name: "", isNew: true });
    }
  });

  it("make a connection due for replacement, named or not", () => {
    const prepared = new PreparedStatements();
    const text = "x".repeat(10_000);
    expect(prepared.isDueForReplacement).toBe(false);
    for (let n = 0; n < 200; n += 1) prepared.nameFor(fresh(), text);
    expect(prepared.isDueForReplacement).toBe(true);
  });
});

describe("message lengths", () => {
  const message = (letter: string, body: number) => {
    const bytes = Buffer.alloc(5 + body);
    bytes.write(letter);
    bytes.writeUInt32BE(4 + body, 1);
    return bytes;
  };
  const sent = Buffer.concat([
    message("D", 90),
    message("C", 0),
    message("D", 100),
    message("Z", 1),
  ]);

  it.each([1, 2, 3, 7, 64, 1000])("are followed through chunks of %i bytes", (size) => {
    const [wide, narrow] = [new MessageLengthTracker(100), new MessageLengthTracker(99)];
    const accepted: boolean[] = [];
    const refusedAt: number[] = [];
    for (let at = 0; at < sent.length; at += size) {
      accepted.push(wide.take(sent.subarray(at, at + size)));
      if (refusedAt.length === 0 && !narrow.take(sent.subarray(at, at + size))) refusedAt.push(at);
    }
    expect(accepted).not.toContain(false);
    // The third message is refused when the last byte of its header arrives.
    const headerEnd = 95 + 5 + 4;
    expect(refusedAt).toEqual([Math.floor(headerEnd / size) * size]);
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

  /** A statement that was sent once before, so that it is prepared by name the next time. */
  function known(key: string) {
    const statements = [{ key, text: "select $1", values: ["1"] }];
    new Batch(statements, new PreparedStatements()).submit(wire().connection);
    return statements;
  }

  it("prepares a statement once and sends everything with one Sync", async () => {
    const statements = known("a");
    const prepared = new PreparedStatements();
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

  it("that fails keeps no prepared statement: the next batch closes them", async () => {
    const statements = known("b");
    const prepared = new PreparedStatements();
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

describe("a database without a usable connection", () => {
  const transaction: Transaction = {
    settings: [["role", "anon"]],
    planKey: "",
    readOnly: true,
    isolation: undefined,
    preRequest: undefined,
    main: { text: "select 1", values: [] },
    explain: undefined,
    beforeCommit: undefined,
    signal: undefined,
    maxRowBytes: 1000,
  };

  it.each([
    [new DatabaseBusyError(), 504, "PGRST003"],
    [new Error("connect ECONNREFUSED 127.0.0.1:5432"), 503, "PGRST000"],
  ])("%s", async (failure, status, code) => {
    const pool = { connect: vi.fn().mockRejectedValue(failure) };
    await expect(runTransaction(pool, transaction)).rejects.toMatchObject({
      status,
      body: { code },
    });
  });
});
