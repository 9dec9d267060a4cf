// What a host shares with others over the same database: the decoded log, broadcasts and presence, and request budgets.

import type { HostContext } from "./context.ts";
import type { RequestLimiter } from "./limits/request-limiter.ts";
import { UsageExchange } from "./limits/usage-exchange.ts";
import type { SharedByHosts } from "./realtime/server/realtime.ts";
import { redisAccess } from "./redis/redis-access.ts";

/** Shares through Redis; shares nothing without REDIS_URL. Does not wait for Redis. */
export async function openSharing(
  { config: { redisUrl }, db, log }: Pick<HostContext, "config" | "db" | "log">,
  limiter: RequestLimiter,
): Promise<SharedByHosts> {
  if (redisUrl === undefined) return {};
  const [{ RedisLog }, { RedisPubSub }] = await Promise.all([
    import("./realtime/shared-log/redis-log.ts"),
    import("./redis/redis-pub-sub.ts"),
  ]);
  const access = redisAccess(redisUrl, db, log);
  const pubSub = new RedisPubSub(access);
  const usage = new UsageExchange(limiter, pubSub);
  return {
    log: new RedisLog(access),
    pubSub,
    close: () => {
      usage.close();
      pubSub.close();
    },
  };
}
