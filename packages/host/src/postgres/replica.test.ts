import { EventEmitter } from "node:events";
import pg from "pg";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Caller } from "../keys.ts";
import { RestError } from "../rest/errors.ts";
import type { Transaction, TransactionResult } from "../rest/execute/transaction.ts";
import { askReplica, mayLag } from "../rest/replica-reads.ts";
import type { ConnectionSource } from "./database.ts";
import { maxReplicaLagMs, Replica } from "./replica.ts";

const ada: Caller = { role: "authenticated", userId: "ada", claims: {} };
const grace: Caller = { ...ada, userId: "grace" };

let now = 100_000;
const watch = {
  heldUntil: undefined as number | undefined,
  problem: undefined as string | undefined,
  get lagMs() {
    return this.heldUntil === undefined ? undefined : now - this.heldUntil;
  },
  stop: vi.fn(),
};
const source = {} as ConnectionSource;
let pool = new EventEmitter() as pg.Pool;
const replicas: Replica[] = [];

function newReplica(): Replica {
  pool = new EventEmitter() as pg.Pool;
  const replica = new Replica({ watch, pool, sourceOf: () => source, now: () => now });
  replicas.push(replica);
  return replica;
}

afterEach(() => {
  for (const replica of replicas.splice(0)) replica.stop();
  watch.heldUntil = undefined;
  now = 100_000;
});

describe("a read that may lag", () => {
  it("is answered by a replica that holds everything up to five seconds ago, and by no older one", () => {
    const replica = newReplica();
    expect(replica.sourceFor(ada, false)).toBeUndefined();
    watch.heldUntil = now - maxReplicaLagMs;
    expect(replica.sourceFor(ada, false)).toBe(source);
    now += 1;
    expect(replica.sourceFor(ada, false)).toBeUndefined();
    expect(replica.problem).toBe("it is more than 5 s behind");
    expect(replica.reads).toEqual({ replica: 0, lag: 2, own_write: 0, failed: 0 });
  });

  it("does not miss its reader's own write, and waits for nobody else's", () => {
    const replica = newReplica();
    watch.heldUntil = now - 100;
    replica.recordWrite("ada");
    expect(replica.sourceFor(ada, false)).toBeUndefined();
    expect(replica.sourceFor(grace, false)).toBe(source);
    now += 500;
    watch.heldUntil = 100_000;
    expect(replica.sourceFor(ada, false)).toBeUndefined();
    watch.heldUntil = 100_001;
    expect(replica.sourceFor(ada, false)).toBe(source);
  });

  it("goes to the primary when the client wrote at another host", () => {
    const replica = newReplica();
    watch.heldUntil = now;
    expect(replica.sourceFor(ada, true)).toBeUndefined();
    expect(replica.reads.own_write).toBe(1);
  });

  it.each(["anon", "service_role"])("is not one of %s", (role) => {
    const replica = newReplica();
    watch.heldUntil = now;
    expect(replica.sourceFor({ role, claims: {} }, false)).toBeUndefined();
  });
});

it("cuts the connections of a replica that is lost, so that reads of it end", () => {
  const replica = newReplica();
  const stream = { destroy: vi.fn() };
  const client = { connection: { stream } } as unknown as pg.PoolClient;
  pool.emit("connect", client);
  watch.heldUntil = now;
  replica.cutWhenLost();
  expect(stream.destroy).not.toHaveBeenCalled();
  now += maxReplicaLagMs + 1;
  replica.cutWhenLost();
  expect(stream.destroy).toHaveBeenCalledOnce();
  pool.emit("remove", client);
  replica.cutWhenLost();
  expect(stream.destroy).toHaveBeenCalledOnce();
});

describe("what a replica does not answer", () => {
  const transaction = { signal: undefined } as Transaction;
  const result: TransactionResult = { row: ["1"], explained: undefined };
  const ask = async (run: () => Promise<TransactionResult>, given = transaction) => {
    const replica = newReplica();
    watch.heldUntil = now;
    const answer = await askReplica(replica, ada, new Headers(), given, run);
    return { answer, reads: replica.reads };
  };

  it("is nothing while it is fine", async () => {
    const { answer, reads } = await ask(async () => await Promise.resolve(result));
    expect(answer).toBe(result);
    expect(reads).toMatchObject({ replica: 1, failed: 0 });
  });

  it.each([
    ["a connection that is refused", new RestError(503, "PGRST000", "Database connection error.")],
    [
      "a read cancelled by recovery",
      Object.assign(new pg.DatabaseError("", 0, "error"), { code: "40001" }),
    ],
    [
      "a refusal of its older rows",
      Object.assign(new pg.DatabaseError("", 0, "error"), { code: "FF311" }),
    ],
  ])("is asked of the primary: %s", async (_, error) => {
    const { answer, reads } = await ask(async () => await Promise.reject(error));
    expect(answer).toBeUndefined();
    expect(reads).toMatchObject({ replica: 0, failed: 1 });
  });

  it("is not asked again for a client that has gone", async () => {
    const signal = AbortSignal.abort();
    await expect(
      ask(async () => await Promise.reject(new Error("cancelled")), { ...transaction, signal }),
    ).rejects.toThrow("cancelled");
  });
});

describe("the reads that may lag", () => {
  const names = new Set(["search"]);
  const routine = { name: "search", schema: "public", volatility: "stable" };
  const plan = { routine, readOnly: true, isolation: undefined } as Parameters<typeof mayLag>[0];
  it("are calls of the listed functions that promise not to write", () => {
    expect(mayLag(plan, names, "public")).toBe(true);
  });

  it.each([
    ["another function", { routine: { ...routine, name: "people" } }],
    ["a function of that name in another schema", { routine: { ...routine, schema: "archive" } }],
    ["a volatile one, also by GET", { routine: { ...routine, volatility: "volatile" } }],
    ["a table", { routine: undefined }],
    ["a write", { readOnly: false }],
    ["a transaction of its own isolation", { isolation: "serializable" }],
  ])("are not %s", (_, changed) => {
    expect(mayLag({ ...plan, ...changed } as typeof plan, names, "public")).toBe(false);
  });
});
