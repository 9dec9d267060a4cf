// What a host shares with others over the same database: the decoded log, broadcasts and presence, and request budgets.

import type { Logger } from "pino";
import type { HostConfig } from "./config.ts";
import type { RequestLimiter } from "./limits/request-limiter.ts";
import { UsageExchange } from "./limits/usage-exchange.ts";
import type { Database } from "./postgres/database.ts";
import type { SharedByHosts } from "./realtime/server/realtime.ts";
import { RedisLog } from "./realtime/shared-log/redis-log.ts";
import { redisAccess } from "./redis/redis-access.ts";
import { RedisPubSub } from "./redis/redis-pub-sub.ts";

/** Connections to Redis, and what ends them. */
export interface OpenSharing extends SharedByHosts {
  /** Begins once those who listen are there. */
  open: () => void;
  close: () => void;
}

/** Shares through Redis; shares nothing without REDIS_URL. Realtime closes the log itself. */
export function shareBetweenHosts(
  { redisUrl }: Pick<HostConfig, "redisUrl">,
  db: Pick<Database, "background">,
  limiter: RequestLimiter,
  log: Logger,
): OpenSharing {
  if (redisUrl === undefined) return { open: () => undefined, close: () => undefined };
  const access = redisAccess(redisUrl, db, log);
  const pubSub = new RedisPubSub(access);
  const usage = new UsageExchange(limiter, pubSub);
  return {
    log: new RedisLog(access),
    pubSub,
    open: () => pubSub.open(),
    close: () => {
      usage.close();
      pubSub.close();
    },
  };
}
