import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MemoryPubSub } from "../testing/memory-pub-sub.ts";
import { defaultLimits, withOverrides, type LimitOverrides } from "./limits.ts";
import { RequestLimiter } from "./request-limiter.ts";
import { UsageExchange } from "./usage-exchange.ts";

const ada = { service: "rest", network: "203.0.113.1", member: "ada" } as const;
const visitor = { ...ada, member: undefined };
/** The tests say when. */
const never = 3_600_000;
let clock = { ms: 1_000_000 };
let redis: MemoryPubSub;
let exchanges: UsageExchange[] = [];
beforeEach(() => {
  clock = { ms: 1_000_000 };
  redis = new MemoryPubSub();
});
afterEach(() => {
  for (const exchange of exchanges.splice(0)) exchange.close();
});

/** The limiter of a host, which shares through Redis unless it is alone. */
function startLimiter({
  isAlone = false,
  requests,
}: { isAlone?: boolean; requests?: LimitOverrides["requests"] } = {}) {
  const member = { perSecond: 1, burst: 4 };
  const limits = withOverrides(defaultLimits, {
    requests: {
      services: { rest: { member, anonymous: { perSecond: 1, burst: 2 } } },
      ...requests,
    },
  }).requests;
  const limiter = new RequestLimiter(limits, () => clock.ms);
  const connection = redis.connect();
  const exchange = isAlone ? undefined : new UsageExchange(limiter, connection, never);
  if (exchange) exchanges.push(exchange);
  const ask = async (request: Parameters<RequestLimiter["admit"]>[0]) => {
    const admitted = await limiter.admit(request);
    if (typeof admitted !== "function") return admitted.retryAfterS;
    admitted();
    return "admitted";
  };
  return {
    limiter,
    connection,
    ask,
    spend: async (request: Parameters<RequestLimiter["admit"]>[0], times: number) => {
      for (let count = 0; count < times; count += 1) expect(await ask(request)).toBe("admitted");
    },
    exchange: async () => {
      await exchange?.send();
      await nextTurn();
    },
  };
}

/** Tells every host something, as anyone can who reaches Redis. */
async function tell(content: object | string): Promise<void> {
  const message = typeof content === "string" ? content : JSON.stringify(content);
  await redis.connect().publish("usage", message);
}

test("a member who used up one host's burst is refused by the other after an exchange, and let in when it has refilled", async () => {
  const [first, second] = [startLimiter(), startLimiter()];
  await first.spend(ada, 4);
  await first.exchange();
  expect(await second.ask(ada)).toBe(1);
  expect(await second.ask({ ...ada, member: "ben" })).toBe("admitted");
  clock.ms += 1000;
  expect(await second.ask(ada)).toBe("admitted");
});

test("what is left is left on every host, and nothing is charged twice", async () => {
  const [first, second] = [startLimiter(), startLimiter()];
  await first.spend(ada, 2);
  await first.exchange();
  await first.exchange();
  await second.spend(ada, 2);
  expect(await second.ask(ada)).toBe(1);
  await second.exchange();
  expect(await first.ask(ada)).toBe(1);
});

test("a refusal costs nothing on other hosts", async () => {
  const [first, second] = [startLimiter(), startLimiter()];
  await first.spend(ada, 4);
  for (let count = 0; count < 50; count += 1) await first.ask(ada);
  await first.exchange();
  clock.ms += 1000;
  expect(await second.ask(ada)).toBe("admitted");
});

test("three hosts asked at once grant three bursts and no more until these are paid back", async () => {
  const hosts = [startLimiter(), startLimiter(), startLimiter()];
  for (const { spend } of hosts) await spend(ada, 4);
  for (const { exchange } of hosts) await exchange();
  // Twelve were granted, eight too many, at one a second.
  for (const { ask } of hosts) expect(await ask(ada)).toBe(9);
  clock.ms += 8_000;
  for (const { ask } of hosts) expect(await ask(ada)).toBe(1);
  clock.ms += 1_000;
  expect(await hosts[0]?.ask(ada)).toBe("admitted");
});

test("anonymous clients, addresses, sockets and renewed sessions count over all hosts too", async () => {
  const requests = {
    sockets: { perSecond: 1, burst: 1 },
    tokenRefreshes: { perSecond: 1, burst: 1 },
    address: { perSecond: 1, burst: 7 },
  };
  const [first, second] = [startLimiter({ requests }), startLimiter({ requests })];
  const { network } = ada;
  await first.spend(visitor, 2);
  const refreshed = await first.limiter.admitTokenRefresh({ network });
  expect(refreshed).toBeTypeOf("function");
  expect(first.limiter.admitSocket(network)).toBeUndefined();
  await first.exchange();
  expect(await second.ask(visitor)).toBe(1);
  expect(await second.limiter.admitTokenRefresh({ network })).toMatchObject({ reason: "rate" });
  expect(second.limiter.admitSocket(network)).toBe(1);
  // Of the address's seven, three are used.
  await second.spend(ada, 4);
  expect(await second.ask({ ...ada, member: "ben" })).toBe(1);
});

test("a host's own machine says nothing about who calls another", async () => {
  const [first, second] = [startLimiter(), startLimiter()];
  for (const network of ["127.0.0.1", "0:0:0:0::/64"]) {
    await first.spend({ ...visitor, network }, 2);
    await first.exchange();
    await tell({ from: "x", granted: { [`anonymous rest ${network}`]: 9 } });
    await second.spend({ ...visitor, network }, 2);
  }
  expect(redis.published.filter(({ message }) => message.includes("anonymous"))).toHaveLength(2);
  await tell({ from: "x", granted: { "sockets 127.0.0.1": 1e6, "address 127.0.0.1": 1e6 } });
  expect(second.limiter.admitSocket("127.0.0.1")).toBeUndefined();
  expect(await second.ask({ ...ada, network: "127.0.0.1" })).toBe("admitted");
});

test("a host without others, and hosts without Redis, count for themselves, and nothing is charged later", async () => {
  const [first, second, alone] = [startLimiter(), startLimiter(), startLimiter({ isAlone: true })];
  redis.goDown();
  await first.spend(ada, 4);
  await first.exchange();
  await second.spend(ada, 4);
  await second.exchange();
  redis.comeBack();
  for (const { exchange } of [first, second]) await exchange();
  expect(redis.published).toEqual([]);
  await alone.spend(ada, 4);
  expect(await alone.ask(ada)).toBe(1);
  expect(await first.ask(ada)).toBe(1);
});

test("messages that are no use of budgets are ignored, and a large amount is owed up to eight bursts", async () => {
  const host = startLimiter();
  const many = Object.fromEntries(
    Array.from({ length: 10_001 }, (_, n) => [`member rest ${n}`, 1]),
  );
  for (const content of [
    "",
    "{",
    "[]",
    { from: "x" },
    { from: "x", granted: { "member rest ada": -5 } },
    { from: "x", granted: { "member rest ada": 0.5 } },
    { from: "x", granted: { "member rest ada": "4" } },
    { from: "x", granted: { "member elsewhere ada": 4, "member toString ada": 4, "admin ada": 4 } },
    { from: "x", granted: { [`member rest ${"a".repeat(200)}`]: 1, "member rest ada": 4 } },
    { from: "x", granted: { ...many, "member rest ada": 4 } },
    { from: "x", granted: { "member rest ada": 4 }, padding: "x".repeat(4 * 1024 * 1024) },
  ])
    await tell(content);
  await host.spend(ada, 4);
  expect(host.limiter.size).toBe(2);
  await tell({ from: "x", granted: { "member rest ben": 1_000_000_000 } });
  expect(await host.ask({ ...ada, member: "ben" })).toBe(8 * 4 + 1);
});

test("what is told is bounded, whatever callers send", async () => {
  const host = startLimiter();
  for (let count = 0; count < 10_500; count += 1) {
    await host.ask({ ...visitor, network: `10.${count >> 8}.${count & 255}.1` });
  }
  await host.ask({ ...ada, member: "a".repeat(300) });
  await host.exchange();
  const message = redis.published[0]?.message ?? "";
  expect(Object.keys((JSON.parse(message) as { granted: object }).granted)).toHaveLength(10_000);
  expect(message).not.toContain("aaa");
});
