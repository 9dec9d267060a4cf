import { describe, expect, test, vi } from "vitest";
import { defaultLimits, withOverrides, type LimitOverrides } from "./limits.ts";
import { RequestBudgets, type BudgetedRequest } from "./request-limiter.ts";

type Requests = LimitOverrides["requests"];

function budgetsWith(requests: Requests = {}) {
  const clock = { ms: 1_000_000 };
  const limits = withOverrides(defaultLimits, { requests }).requests;
  return { clock, budgets: new RequestBudgets(limits, () => clock.ms) };
}

const small: Requests = {
  services: {
    rest: {
      member: { perSecond: 1, burst: 3, running: 2, waiting: 1 },
      stranger: { perSecond: 1, burst: 2, running: 2, waiting: 1 },
      strangers: { running: 3, waiting: 0 },
    },
  },
};

function from(sender: string, member?: string): BudgetedRequest {
  return { service: "rest", sender, member };
}

/** Asks for a turn and ends it at once; what was said when there was none. */
async function ask(budgets: RequestBudgets, request: BudgetedRequest) {
  const admitted = await budgets.admit(request);
  if (typeof admitted !== "function") return admitted.reason;
  admitted();
  return "heard";
}

describe("rate", () => {
  test("a member over budget is told when to come back, and is heard then", async () => {
    const { budgets, clock } = budgetsWith(small);
    const ada = from("203.0.113.1", "ada");
    for (let count = 0; count < 3; count += 1) expect(await ask(budgets, ada)).toBe("heard");
    expect(await budgets.admit(ada)).toEqual({ reason: "rate", retryAfterS: 1 });
    clock.ms += 1000;
    expect(await ask(budgets, ada)).toBe("heard");
  });

  test("a member's budget is the same from every address, and nobody else's", async () => {
    const { budgets } = budgetsWith(small);
    for (const sender of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
      expect(await ask(budgets, from(sender, "ada"))).toBe("heard");
    }
    expect(await ask(budgets, from("203.0.113.4", "ada"))).toBe("rate");
    expect(await ask(budgets, from("203.0.113.4", "ben"))).toBe("heard");
  });

  test("strangers count by address; what one is refused costs the members behind it nothing", async () => {
    const { budgets } = budgetsWith({ ...small, address: { perSecond: 1, burst: 4 } });
    const sender = "203.0.113.1";
    for (let count = 0; count < 2; count += 1) {
      expect(await ask(budgets, from(sender))).toBe("heard");
    }
    for (let count = 0; count < 50; count += 1) {
      expect(await ask(budgets, from(sender))).toBe("rate");
    }
    expect(await ask(budgets, from("203.0.113.2"))).toBe("heard");
    expect(await ask(budgets, from(sender, "ada"))).toBe("heard");
    expect(await ask(budgets, from(sender, "ben"))).toBe("heard");
    expect(await ask(budgets, from(sender, "cleo"))).toBe("rate");
  });

  test("this machine itself has no address budget: it says nothing about who calls", async () => {
    const { budgets } = budgetsWith({ address: { perSecond: 1, burst: 1 } });
    for (const sender of ["127.0.0.1", "0:0:0:0::/64", ""]) {
      for (let count = 0; count < 3; count += 1) {
        expect(await ask(budgets, from(sender, "ada"))).toBe("heard");
      }
    }
    expect(await ask(budgets, from("203.0.113.1", "ada"))).toBe("heard");
    expect(await ask(budgets, from("203.0.113.1", "ada"))).toBe("rate");
  });

  test("new sockets count by address", () => {
    const { budgets, clock } = budgetsWith({ sockets: { perSecond: 0.5, burst: 2 } });
    const open = () => budgets.admitSocket("203.0.113.1");
    expect([open(), open(), open()]).toEqual([undefined, undefined, 2]);
    expect(budgets.admitSocket("203.0.113.2")).toBeUndefined();
    clock.ms += 2000;
    expect(open()).toBeUndefined();
  });
});

describe("concurrency", () => {
  test("what is too much at once waits its turn, up to a number", async () => {
    const { budgets } = budgetsWith(small);
    const ada = from("203.0.113.1", "ada");
    const first = await budgets.admit(ada);
    await budgets.admit(ada);
    const third = budgets.admit(ada);
    if (typeof first !== "function") throw new Error("the first request was refused");
    expect(await ask(budgets, from("203.0.113.1", "ben"))).toBe("heard");
    first();
    expect(await third).toBeTypeOf("function");
  });

  test("a wait ends in a refusal when it takes too long, or when the client has gone", async () => {
    vi.useFakeTimers();
    try {
      const { budgets } = budgetsWith({ ...small, longestWaitMs: 5000 });
      const ada = from("203.0.113.1", "ada");
      await budgets.admit(ada);
      await budgets.admit(ada);
      const late = budgets.admit(ada);
      await vi.advanceTimersByTimeAsync(5000);
      expect(await late).toMatchObject({ reason: "concurrency" });

      const ben = from("203.0.113.1", "ben");
      await budgets.admit(ben);
      await budgets.admit(ben);
      const gone = new AbortController();
      const waiting = budgets.admit({ ...ben, signal: () => gone.signal });
      gone.abort();
      expect(await waiting).toMatchObject({ reason: "concurrency" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("strangers together have so many turns, members are not held up by them", async () => {
    const { budgets } = budgetsWith(small);
    await budgets.admit(from("203.0.113.1"));
    await budgets.admit(from("203.0.113.1"));
    await budgets.admit(from("203.0.113.2"));
    expect(await ask(budgets, from("203.0.113.3"))).toBe("busy");
    expect(await ask(budgets, from("203.0.113.3", "ada"))).toBe("heard");
  });

  test("a stranger who was refused for all strangers keeps no turn of their own", async () => {
    const stranger = { perSecond: 1, burst: 10, running: 1, waiting: 0 };
    const strangers = { running: 1, waiting: 0 };
    const { budgets } = budgetsWith({ services: { rest: { stranger, strangers } } });
    const first = await budgets.admit(from("203.0.113.1"));
    expect(await ask(budgets, from("203.0.113.2"))).toBe("busy");
    if (typeof first === "function") first();
    expect(await ask(budgets, from("203.0.113.2"))).toBe("heard");
  });
});

describe("the defaults are generous", () => {
  test("ten tabs of one member, twenty requests each, opened at once", async () => {
    const { budgets } = budgetsWith();
    const all = await Promise.all(
      Array.from({ length: 200 }, async () => await ask(budgets, from("203.0.113.1", "ada"))),
    );
    expect(new Set(all)).toEqual(new Set(["heard"]));
  });

  test("a hundred members of one office, each with a page of forty requests and forty pictures", async () => {
    const { budgets } = budgetsWith();
    const office = "203.0.113.1";
    const answers = new Set<string>();
    for (let member = 0; member < 100; member += 1) {
      for (let count = 0; count < 40; count += 1) {
        answers.add(await ask(budgets, from(office, `member ${member}`)));
        if (count % 2 === 0) {
          answers.add(
            await ask(budgets, { service: "storage", sender: office, member: undefined }),
          );
        }
      }
    }
    expect(answers).toEqual(new Set(["heard"]));
  });
});

test("a hundred thousand addresses and members leave bounded memory", async () => {
  const { budgets } = budgetsWith({ remembered: 1000 });
  for (let count = 0; count < 100_000; count += 1) {
    const sender = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    await ask(budgets, from(sender));
    await ask(budgets, from(sender, `member ${count}`));
    budgets.admitSocket(sender);
  }
  expect(budgets.size).toBeLessThanOrEqual(4000);
});
