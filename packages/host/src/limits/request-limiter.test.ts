import { describe, expect, test, vi } from "vitest";
import { defaultLimits, withOverrides, type LimitOverrides } from "./limits.ts";
import { RequestLimiter, type LimitedRequest } from "./request-limiter.ts";

type Requests = LimitOverrides["requests"];

function limiterWith(requests: Requests = {}) {
  const clock = { ms: 1_000_000 };
  const limits = withOverrides(defaultLimits, { requests }).requests;
  return { clock, limiter: new RequestLimiter(limits, () => clock.ms) };
}

const small: Requests = {
  services: {
    rest: {
      member: { perSecond: 1, burst: 3, maxConcurrent: 2, maxQueued: 1 },
      anonymous: { perSecond: 1, burst: 2, maxConcurrent: 2, maxQueued: 1 },
      allAnonymous: { maxConcurrent: 3, maxQueued: 0 },
    },
  },
};

function from(network: string, member?: string): LimitedRequest {
  return { service: "rest", network, member };
}

/** Takes a slot and releases it at once. @returns "admitted", or why the request was rejected */
async function ask(limiter: RequestLimiter, request: LimitedRequest) {
  const admitted = await limiter.admit(request);
  if (typeof admitted !== "function") return admitted.reason;
  admitted();
  return "admitted";
}

describe("rate", () => {
  test("a member over the limit is told when to retry, and the retry succeeds", async () => {
    const { limiter, clock } = limiterWith(small);
    const ada = from("203.0.113.1", "ada");
    for (let count = 0; count < 3; count += 1) expect(await ask(limiter, ada)).toBe("admitted");
    expect(await limiter.admit(ada)).toEqual({ reason: "rate", retryAfterS: 1 });
    clock.ms += 1000;
    expect(await ask(limiter, ada)).toBe("admitted");
  });

  test("a member's limit is the same from every address and separate from other members'", async () => {
    const { limiter } = limiterWith(small);
    for (const network of ["203.0.113.1", "203.0.113.2", "203.0.113.3"]) {
      expect(await ask(limiter, from(network, "ada"))).toBe("admitted");
    }
    expect(await ask(limiter, from("203.0.113.4", "ada"))).toBe("rate");
    expect(await ask(limiter, from("203.0.113.4", "ben"))).toBe("admitted");
  });

  test("anonymous requests count by address, and rejected ones do not count against members there", async () => {
    const { limiter } = limiterWith({ ...small, address: { perSecond: 1, burst: 4 } });
    const network = "203.0.113.1";
    for (let count = 0; count < 2; count += 1) {
      expect(await ask(limiter, from(network))).toBe("admitted");
    }
    for (let count = 0; count < 50; count += 1) {
      expect(await ask(limiter, from(network))).toBe("rate");
    }
    expect(await ask(limiter, from("203.0.113.2"))).toBe("admitted");
    expect(await ask(limiter, from(network, "ada"))).toBe("admitted");
    expect(await ask(limiter, from(network, "ben"))).toBe("admitted");
    expect(await ask(limiter, from(network, "cleo"))).toBe("rate");
  });

  test("this machine itself has no address budget: it says nothing about who calls", async () => {
    const { limiter } = limiterWith({ address: { perSecond: 1, burst: 1 } });
    for (const network of ["127.0.0.1", "0:0:0:0::/64", ""]) {
      for (let count = 0; count < 3; count += 1) {
        expect(await ask(limiter, from(network, "ada"))).toBe("admitted");
      }
    }
    expect(await ask(limiter, from("203.0.113.1", "ada"))).toBe("admitted");
    expect(await ask(limiter, from("203.0.113.1", "ada"))).toBe("rate");
  });

  test("new sockets count by address", () => {
    const { limiter, clock } = limiterWith({ sockets: { perSecond: 0.5, burst: 2 } });
    const open = () => limiter.admitSocket("203.0.113.1");
    expect([open(), open(), open()]).toEqual([undefined, undefined, 2]);
    expect(limiter.admitSocket("203.0.113.2")).toBeUndefined();
    clock.ms += 2000;
    expect(open()).toBeUndefined();
  });
});

describe("concurrency", () => {
  test("requests above the limit wait in a bounded queue", async () => {
    const { limiter } = limiterWith(small);
    const ada = from("203.0.113.1", "ada");
    const first = await limiter.admit(ada);
    await limiter.admit(ada);
    const third = limiter.admit(ada);
    if (typeof first !== "function") throw new Error("the first request was rejected");
    expect(await ask(limiter, from("203.0.113.1", "ben"))).toBe("admitted");
    first();
    expect(await third).toBeTypeOf("function");
  });

  test("a waiting request is rejected after the time limit or when the client disconnects", async () => {
    vi.useFakeTimers();
    try {
      const { limiter } = limiterWith({ ...small, maxWaitMs: 5000 });
      const ada = from("203.0.113.1", "ada");
      await limiter.admit(ada);
      await limiter.admit(ada);
      const late = limiter.admit(ada);
      await vi.advanceTimersByTimeAsync(5000);
      expect(await late).toMatchObject({ reason: "concurrency" });

      const ben = from("203.0.113.1", "ben");
      await limiter.admit(ben);
      await limiter.admit(ben);
      const gone = new AbortController();
      const waiting = limiter.admit({ ...ben, signal: () => gone.signal });
      gone.abort();
      expect(await waiting).toMatchObject({ reason: "concurrency" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("all anonymous requests share a number of slots, and members do not wait for them", async () => {
    const { limiter } = limiterWith(small);
    await limiter.admit(from("203.0.113.1"));
    await limiter.admit(from("203.0.113.1"));
    await limiter.admit(from("203.0.113.2"));
    expect(await ask(limiter, from("203.0.113.3"))).toBe("busy");
    expect(await ask(limiter, from("203.0.113.3", "ada"))).toBe("admitted");
  });

  test("uploads wait for other uploads only", async () => {
    const { limiter } = limiterWith(small);
    const upload = { ...from("203.0.113.1"), isUpload: true };
    await limiter.admit(upload);
    await limiter.admit(upload);
    await limiter.admit({ ...from("203.0.113.2"), isUpload: true });
    expect(await ask(limiter, { ...from("203.0.113.3"), isUpload: true })).toBe("busy");
    expect(await ask(limiter, from("203.0.113.3"))).toBe("admitted");
  });

  test("an anonymous request rejected by the shared limit releases its own slot", async () => {
    const anonymous = { perSecond: 1, burst: 10, maxConcurrent: 1, maxQueued: 0 };
    const allAnonymous = { maxConcurrent: 1, maxQueued: 0 };
    const { limiter } = limiterWith({ services: { rest: { anonymous, allAnonymous } } });
    const first = await limiter.admit(from("203.0.113.1"));
    expect(await ask(limiter, from("203.0.113.2"))).toBe("busy");
    if (typeof first === "function") first();
    expect(await ask(limiter, from("203.0.113.2"))).toBe("admitted");
  });
});

describe("the defaults are generous", () => {
  test("ten tabs of one member, twenty requests each, opened at once", async () => {
    const { limiter } = limiterWith();
    const all = await Promise.all(
      Array.from({ length: 200 }, async () => await ask(limiter, from("203.0.113.1", "ada"))),
    );
    expect(new Set(all)).toEqual(new Set(["admitted"]));
  });

  test("a hundred members of one office, each with a page of forty requests and forty pictures", async () => {
    const { limiter } = limiterWith();
    const office = "203.0.113.1";
    const answers = new Set<string>();
    for (let member = 0; member < 100; member += 1) {
      for (let count = 0; count < 40; count += 1) {
        answers.add(await ask(limiter, from(office, `member ${member}`)));
        if (count % 2 === 0) {
          answers.add(
            await ask(limiter, { service: "storage", network: office, member: undefined }),
          );
        }
      }
    }
    expect(answers).toEqual(new Set(["admitted"]));
  });
});

test("a hundred thousand addresses and members leave bounded memory", async () => {
  const { limiter } = limiterWith({ maxTrackedCallers: 1000 });
  for (let count = 0; count < 100_000; count += 1) {
    const network = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    await ask(limiter, from(network));
    await ask(limiter, from(network, `member ${count}`));
    limiter.admitSocket(network);
  }
  expect(limiter.size).toBeLessThanOrEqual(4000);
});
