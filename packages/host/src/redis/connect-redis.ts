// How this host connects to Redis: never waiting long. Loaded only where REDIS_URL is set.

import { Redis, type RedisOptions } from "ioredis";
import type { RedisAccess } from "./redis-access.ts";

/** A command that takes longer counts as failed. */
export const commandTimeoutMs = 2_000;
const maxReconnectDelayMs = 1_000;

type Settings = Omit<RedisOptions, "replyMapping">;

/** A connection that never waits long for Redis, and connects again by itself. */
export function connectRedis(
  { url, onError }: Pick<RedisAccess, "url" | "onError">,
  options: Settings = {},
): Redis {
  const settings: Settings = {
    protocol: 2,
    connectionName: "host-realtime",
    disableClientInfo: true,
    connectTimeout: commandTimeoutMs,
    commandTimeout: commandTimeoutMs,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => Math.min(times * 100, maxReconnectDelayMs),
    ...options,
  };
  const redis = new Redis(url, settings);
  redis.on("error", onError);
  return redis;
}
