import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { PerUserConcurrency } from "./per-user-concurrency.ts";
import { DatabaseBusyError } from "./database-busy.ts";

const limits = {
  connections: 4,
  perMember: 2,
  heavyAfterMs: 1000,
  heavyHalfLifeMs: 10_000,
  forHeavyMembers: 1,
  maxQueued: 3,
  maxQueuedPerMember: 2,
  maxWaitMs: 5000,
};

// A request that still waits when its test ends is refused in no later one.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function concurrencyAt() {
  const clock = { ms: 0 };
  return { clock, concurrency: new PerUserConcurrency(limits, () => clock.ms) };
}

/** Records in `order` when the slot was granted; resolves with the function that releases it. */
async function acquireAndRecord(concurrency: PerUserConcurrency, key: string, order: string[]) {
  const end = await concurrency.acquire(key);
  order.push(key);
  return end;
}

describe("connections per user", () => {
  test("a user holds no more than their share, and the rest is left for others", async () => {
    const { concurrency } = concurrencyAt();
    const order: string[] = [];
    const ends = [
      await acquireAndRecord(concurrency, "ada", order),
      await acquireAndRecord(concurrency, "ada", order),
    ];
    const third = acquireAndRecord(concurrency, "ada", order);
    await acquireAndRecord(concurrency, "ben", order);
    expect(order).toEqual(["ada", "ada", "ben"]);
    ends[0]?.();
    await third;
    expect(order).toEqual(["ada", "ada", "ben", "ada"]);
  });

  test("of the waiting users, the one with the least recent use is served first", async () => {
    const { concurrency, clock } = concurrencyAt();
    const order: string[] = [];
    (await concurrency.acquire("busy"))();
    const used = await concurrency.acquire("busy");
    clock.ms += 500;
    used();
    const held = [
      await concurrency.acquire("a"),
      await concurrency.acquire("a"),
      await concurrency.acquire("b"),
      await concurrency.acquire("b"),
    ];
    const late = acquireAndRecord(concurrency, "busy", order);
    const soon = acquireAndRecord(concurrency, "light", order);
    held[0]?.();
    await soon;
    held[1]?.();
    await late;
    expect(order).toEqual(["light", "busy"]);
  });

  test("all heavy users together hold only their part", async () => {
    const { concurrency, clock } = concurrencyAt();
    for (const key of ["slow", "slower"]) {
      const end = await concurrency.acquire(key);
      clock.ms += 2000;
      end();
    }
    const order: string[] = [];
    const end = await acquireAndRecord(concurrency, "slow", order);
    const waiting = acquireAndRecord(concurrency, "slower", order);
    for (const key of ["ada", "ben", "cleo"]) await acquireAndRecord(concurrency, key, order);
    expect(order).toEqual(["slow", "ada", "ben", "cleo"]);
    end();
    (await waiting)();
    expect(order.at(-1)).toBe("slower");
  });

  test("a heavy user is light again after a pause", async () => {
    const { concurrency, clock } = concurrencyAt();
    for (const key of ["slow", "slower"]) {
      const end = await concurrency.acquire(key);
      clock.ms += 2000;
      end();
    }
    clock.ms += 60_000;
    await concurrency.acquire("slow");
    await concurrency.acquire("slower");
  });

  test("a user becomes heavy while a statement is still running", async () => {
    const { concurrency, clock } = concurrencyAt();
    await concurrency.acquire("slow");
    clock.ms += 2000;
    const order: string[] = [];
    const second = acquireAndRecord(concurrency, "slow", order);
    await acquireAndRecord(concurrency, "ada", order);
    expect(order).toEqual(["ada"]);
    void second;
  });

  test("no user fills the queue: each has a share of it", async () => {
    const { concurrency } = concurrencyAt();
    for (const key of ["a", "a", "b", "b"]) await concurrency.acquire(key);
    const order: string[] = [];
    void acquireAndRecord(concurrency, "a", order);
    void acquireAndRecord(concurrency, "a", order);
    await expect(concurrency.acquire("a")).rejects.toBeInstanceOf(DatabaseBusyError);
    void acquireAndRecord(concurrency, "c", order);
  });

  test("in a full queue the heaviest user makes room for a lighter one, and not the reverse", async () => {
    const { concurrency, clock } = concurrencyAt();
    for (const [key, ms] of [
      ["heavy", 900],
      ["heavier", 1800],
    ] as const) {
      const end = await concurrency.acquire(key);
      clock.ms += ms;
      end();
    }
    const held = [];
    for (const key of ["a", "a", "b", "b"]) held.push(await concurrency.acquire(key));
    const order: string[] = [];
    const cut = concurrency.acquire("heavier");
    const kept = [
      acquireAndRecord(concurrency, "heavy", order),
      acquireAndRecord(concurrency, "heavy", order),
    ];
    const light = acquireAndRecord(concurrency, "light", order);
    await expect(cut).rejects.toBeInstanceOf(DatabaseBusyError);
    await expect(concurrency.acquire("heavier")).rejects.toBeInstanceOf(DatabaseBusyError);
    for (const end of held) end();
    await Promise.all([light, ...kept]);
    expect(order[0]).toBe("light");
  });

  test("the queue is bounded in length and in time", async () => {
    const { concurrency } = concurrencyAt();
    for (const key of ["a", "a", "b", "b"]) await concurrency.acquire(key);
    const waiting = ["c", "d", "e"].map((key) => concurrency.acquire(key));
    await expect(concurrency.acquire("f")).rejects.toBeInstanceOf(DatabaseBusyError);
    const answers = Promise.allSettled(waiting);
    await vi.advanceTimersByTimeAsync(5000);
    expect((await answers).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    // Requests that timed out have left the queue.
    void concurrency.acquire("g").catch(() => undefined);
    expect(vi.getTimerCount()).toBe(1);
  });
});
