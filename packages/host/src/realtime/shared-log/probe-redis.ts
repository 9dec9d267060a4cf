import { Redis } from "ioredis";

const timeoutMs = 5_000;

/** What a Redis or Valkey is like for the shared log. */
export interface RedisProbe {
  /** Its name and version, such as `redis 7.2.4`. */
  server: string;
  /** True when it may throw away keys to make room, by which a decoder loses its seat. */
  mayEvict: boolean;
}

/**
 * Connects once, without trying again, and does what only newer servers can: the log is trimmed by the number of its entries, from
 * Redis 6.2 on and in every Valkey.
 * @throws what the connection or the server answers.
 */
export async function probeRedis(url: string): Promise<RedisProbe> {
  const redis = new Redis(url, {
    protocol: 2,
    lazyConnect: true,
    disableClientInfo: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: Error | undefined;
  redis.on("error", (error: Error) => (failure = error));
  try {
    await redis.connect();
    await redis.eval("return redis.call('xtrim', KEYS[1], 'MINID', 0)", 1, "host-realtime-probe");
    const [server, memory] = [await redis.info("server"), await redis.info("memory")];
    const read = (text: string, name: string) =>
      new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(text)?.[1] ?? "";
    const isValkey = read(server, "server_name") === "valkey";
    const version = read(server, isValkey ? "valkey_version" : "redis_version");
    return {
      server: `${isValkey ? "valkey" : "redis"} ${version}`,
      mayEvict:
        Number(read(memory, "maxmemory")) > 0 && read(memory, "maxmemory_policy") !== "noeviction",
    };
  } catch (error) {
    // Why a connection was refused is in the event alone.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
