import { expect, test } from "vitest";
import { ByteBudget } from "./byte-budget.ts";
import { realtimeDefaults } from "./realtime-limits.ts";
import { CallerRegistry } from "./caller-registry.ts";
import { SharedByteLimit } from "./shared-byte-limit.ts";
import { TokenBucket } from "./token-bucket.ts";

test("a bucket allows a burst, then its rate, and repays a debt before the next take", () => {
  const bucket = new TokenBucket(10);
  expect(bucket.isFull(0)).toBe(true);
  for (let n = 0; n < 40; n += 1) expect(bucket.take(1, 0)).toBe(true);
  expect(bucket.take(1, 0)).toBe(false);
  expect(bucket.take(1, 100)).toBe(true);
  expect(bucket.take(1, 100)).toBe(false);
  // A single take may exceed what is left.
  expect(bucket.take(1_000, 1_000)).toBe(true);
  expect(bucket.take(1, 90_000)).toBe(false);
  expect(bucket.take(1, 110_000)).toBe(true);
  bucket.closeFor(5_000, 200_000);
  expect(bucket.take(1, 204_900)).toBe(false);
  expect(bucket.take(1, 205_100)).toBe(true);
});

test("a budget within another reserves from both or from neither", () => {
  const all = new ByteBudget(100);
  const [one, other] = [new ByteBudget(70, all), new ByteBudget(70, all)];
  expect(one.reserve(71)).toBe(false);
  expect(one.reserve(60)).toBe(true);
  expect(other.reserve(60)).toBe(false);
  expect([one.used, other.used, all.used]).toEqual([60, 0, 60]);
  expect(one.reserve(-20)).toBe(true);
  expect(other.reserve(60)).toBe(true);
  one.release(one.used);
  expect([one.used, all.used]).toEqual([0, 60]);
});

test("above a shared limit, the largest holders are terminated first", () => {
  const held = new Map([
    ["small", 10],
    ["large", 60],
    ["drained", 50],
  ]);
  const ended: string[] = [];
  const shared = new SharedByteLimit<string>({
    limit: 100,
    bytesOf: (name) => held.get(name) ?? 0,
    terminate: (name) => ended.push(name),
  });
  shared.update("drained");
  // It has caught up since, without an update.
  held.set("drained", 5);
  shared.update("small");
  shared.update("large");
  expect(ended).toEqual([]);
  expect(shared.total).toBe(75);
  expect(shared.isCrowded).toBe(true);
  held.set("small", 45);
  shared.update("small");
  expect(ended).toEqual(["large"]);
  expect(shared.total).toBe(50);
});

const identity = (role: string, account?: string) => ({
  identity: { role, claims: "{}", key: role, subject: account ?? "", account },
  expiresAt: undefined,
  sessionId: undefined,
  caller: { role: "authenticated", claims: {} },
});

test("accounts are limited on their own, anonymous clients by address, and all of an address together", () => {
  let now = 0;
  const limits = {
    ...realtimeDefaults,
    anon: { ...realtimeDefaults.anon, joinsPerSecond: 1 },
    authenticated: { ...realtimeDefaults.authenticated, joinsPerSecond: 2 },
    address: { ...realtimeDefaults.address, joinsPerSecond: 5 },
  };
  const callers = new CallerRegistry(limits, () => now);
  const [here, there] = ["192.0.2.1", "192.0.2.2"].map((name) => callers.address(name));
  if (!here || !there) throw new Error("there are two addresses");
  const spent = (who: ReturnType<typeof identity>, address: typeof here) => {
    let count = 0;
    while (count < 100 && callers.caller(who, address).spend("joins", 1)) count += 1;
    return count;
  };
  expect(spent(identity("anon"), here)).toBe(4);
  expect(spent(identity("anon"), here)).toBe(0);
  expect(spent(identity("authenticated", "a"), here)).toBe(8);
  // The same account from elsewhere is the same account; an anonymous client elsewhere is another.
  expect(spent(identity("authenticated", "a"), there)).toBe(0);
  expect(spent(identity("anon"), there)).toBe(4);
  expect(spent(identity("authenticated", "b"), here)).toBe(8);
  expect(spent(identity("authenticated", "c"), here)).toBe(0);
  expect(spent(identity("service_role"), here)).toBe(100);
  // Reconnecting does not reset the limit.
  callers.sweep();
  expect(spent(identity("anon"), callers.address("192.0.2.2"))).toBe(0);
  now = 60_000;
  callers.sweep();
  expect(spent(identity("anon"), callers.address("192.0.2.2"))).toBe(4);
});
