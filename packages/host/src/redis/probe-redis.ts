// Asks a Redis once whether several hosts can share what they have to in it.

const timeoutMs = 5_000;
/** Name of a key and a channel that nothing else uses. */
const probeName = "host-realtime-probe";

/** What a Redis or Valkey is like for hosts that share it. */
export interface RedisProbe {
  /** Its name and version, such as `redis 7.2.4`. */
  server: string;
  /** True when it may throw away keys to make room, by which a decoder loses its seat. */
  mayEvict: boolean;
}

/** The lines `name:value` of an answer to INFO. */
function readFacts(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split("\r\n").map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name, value.join(":")];
    }),
  );
}

/**
 * Connects once, without trying again, and does what only newer servers can: the log is trimmed by the number of its entries, from
 * Redis 6.2 on and in every Valkey. A user of an access list may be barred from channels, which is tried as well.
 * @throws what the connection or the server answers.
 */
export async function probeRedis(url: string): Promise<RedisProbe> {
  const { Redis } = await import("ioredis");
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
    await redis.eval("return redis.call('xtrim', KEYS[1], 'MINID', 0)", 1, probeName);
    const facts = readFacts((await redis.info("server")) + (await redis.info("memory")));
    await redis.publish(probeName, "");
    // Last: such a connection can do nothing else.
    await redis.subscribe(probeName);
    const kind = facts.get("server_name") === "valkey" ? "valkey" : "redis";
    return {
      server: `${kind} ${facts.get(`${kind}_version`)}`,
      mayEvict:
        Number(facts.get("maxmemory")) > 0 && facts.get("maxmemory_policy") !== "noeviction",
    };
  } catch (error) {
    // Why a connection was refused is in the event alone.
    throw failure ?? error;
  } finally {
    redis.disconnect();
  }
}
