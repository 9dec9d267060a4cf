import { setTimeout as sleep } from "node:timers/promises";
import { defaultLimits, RequestLimiter, RedisPubSub, UsageExchange } from "basehost/testing";

type RedisAccess = ConstructorParameters<typeof RedisPubSub>[0];

/**
 * Two hosts' limiters share a member's burst through Redis.
 * @returns milliseconds until the second refuses a member who used it up on the first
 */
export async function shareBudget(access: RedisAccess): Promise<number> {
  const hosts = [0, 1].map(() => {
    const pubSub = new RedisPubSub(access);
    const limiter = new RequestLimiter(defaultLimits.requests, Date.now);
    const exchange = new UsageExchange(limiter, pubSub);
    pubSub.open();
    return { pubSub, limiter, exchange };
  });
  const [first, second] = hosts;
  if (first === undefined || second === undefined) throw new Error("There are no hosts.");
  for (const { pubSub } of hosts) {
    await pubSub.opened;
    while (!pubSub.isUp) await sleep(10);
  }
  const ask = async ({ limiter }: typeof first) => {
    const admitted = await limiter.admit({
      service: "rest",
      network: "203.0.113.1",
      member: "ada",
    });
    if (typeof admitted !== "function") return false;
    admitted();
    return true;
  };
  while (await ask(first));
  const startedAt = performance.now();
  let granted = 0;
  while (await ask(second)) {
    granted += 1;
    if (performance.now() - startedAt > 5_000) throw new Error(`${granted} requests were granted.`);
    await sleep(10);
  }
  for (const { exchange, pubSub } of hosts) {
    exchange.close();
    pubSub.close();
  }
  return Math.round(performance.now() - startedAt);
}
