import { describe, expect, test, vi } from "vitest";
import { CallerTurns } from "./per-user-concurrency.ts";
import { DatabaseBusyError } from "./database-busy.ts";

const limits = {
  connections: 4,
  perMember: 2,
  heavyAfterMs: 1000,
  heavyHalfLifeMs: 10_000,
  forHeavyMembers: 1,
  waiting: 3,
  waitingPerMember: 2,
  longestWaitMs: 5000,
};

function turnsAt() {
  const clock = { ms: 0 };
  return { clock, turns: new CallerTurns(limits, () => clock.ms) };
}

/** Notes in `order` when the turn began; resolves with what ends it. */
async function noted(turns: CallerTurns, key: string, order: string[]) {
  const end = await turns.take(key);
  order.push(key);
  return end;
}

describe("the connections of a pool", () => {
  test("nobody holds more than their share; what is left is for the others", async () => {
    const { turns } = turnsAt();
    const order: string[] = [];
    const ends = [await noted(turns, "ada", order), await noted(turns, "ada", order)];
    const third = noted(turns, "ada", order);
    await noted(turns, "ben", order);
    expect(order).toEqual(["ada", "ada", "ben"]);
    ends[0]?.();
    await third;
    expect(order).toEqual(["ada", "ada", "ben", "ada"]);
  });

  test("of those who wait, whoever used least goes first", async () => {
    const { turns, clock } = turnsAt();
    const order: string[] = [];
    (await turns.take("busy"))();
    const used = await turns.take("busy");
    clock.ms += 500;
    used();
    const held = [
      await turns.take("a"),
      await turns.take("a"),
      await turns.take("b"),
      await turns.take("b"),
    ];
    const late = noted(turns, "busy", order);
    const soon = noted(turns, "light", order);
    held[0]?.();
    await soon;
    held[1]?.();
    await late;
    expect(order).toEqual(["light", "busy"]);
  });

  test("heavy callers together hold their part only", async () => {
    const { turns, clock } = turnsAt();
    for (const key of ["slow", "slower"]) {
      const end = await turns.take(key);
      clock.ms += 2000;
      end();
    }
    const order: string[] = [];
    const end = await noted(turns, "slow", order);
    const waiting = noted(turns, "slower", order);
    for (const key of ["ada", "ben", "cleo"]) await noted(turns, key, order);
    expect(order).toEqual(["slow", "ada", "ben", "cleo"]);
    end();
    (await waiting)();
    expect(order.at(-1)).toBe("slower");
  });

  test("a heavy caller is light again after a quiet while", async () => {
    const { turns, clock } = turnsAt();
    for (const key of ["slow", "slower"]) {
      const end = await turns.take(key);
      clock.ms += 2000;
      end();
    }
    clock.ms += 60_000;
    await turns.take("slow");
    await turns.take("slower");
  });

  test("a caller turns heavy while the statement is still running", async () => {
    const { turns, clock } = turnsAt();
    await turns.take("slow");
    clock.ms += 2000;
    const order: string[] = [];
    const second = noted(turns, "slow", order);
    await noted(turns, "ada", order);
    expect(order).toEqual(["ada"]);
    void second;
  });

  test("no caller fills the queue: each has a share of it", async () => {
    const { turns } = turnsAt();
    for (const key of ["a", "a", "b", "b"]) await turns.take(key);
    const order: string[] = [];
    void noted(turns, "a", order);
    void noted(turns, "a", order);
    await expect(turns.take("a")).rejects.toBeInstanceOf(DatabaseBusyError);
    void noted(turns, "c", order);
  });

  test("in a full queue the heaviest caller makes room for a lighter one, and not the other way round", async () => {
    const { turns, clock } = turnsAt();
    for (const [key, ms] of [
      ["heavy", 900],
      ["heavier", 1800],
    ] as const) {
      const end = await turns.take(key);
      clock.ms += ms;
      end();
    }
    const held = [];
    for (const key of ["a", "a", "b", "b"]) held.push(await turns.take(key));
    const order: string[] = [];
    const cut = turns.take("heavier");
    const kept = [noted(turns, "heavy", order), noted(turns, "heavy", order)];
    const light = noted(turns, "light", order);
    await expect(cut).rejects.toBeInstanceOf(DatabaseBusyError);
    await expect(turns.take("heavier")).rejects.toBeInstanceOf(DatabaseBusyError);
    for (const end of held) end();
    await Promise.all([light, ...kept]);
    expect(order[0]).toBe("light");
  });

  test("the queue is bounded in length and in time", async () => {
    vi.useFakeTimers();
    try {
      const { turns } = turnsAt();
      for (const key of ["a", "a", "b", "b"]) await turns.take(key);
      const waiting = ["c", "d", "e"].map((key) => turns.take(key));
      await expect(turns.take("f")).rejects.toBeInstanceOf(DatabaseBusyError);
      const answers = Promise.allSettled(waiting);
      await vi.advanceTimersByTimeAsync(5000);
      expect((await answers).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
      // Those who gave up left their places.
      void turns.take("g").catch(() => undefined);
      expect(vi.getTimerCount()).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
