import { BootError, type RedisProbe } from "basehost";
import type { CheckAnswer } from "./check-answer.ts";

/**
 * Whether the Redis of several hosts can hold what they share.
 * @throws {BootError} with what the server, or the connection, said
 */
export async function checkRedis(probe: () => Promise<RedisProbe>): Promise<CheckAnswer> {
  let found: RedisProbe;
  try {
    found = await probe();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new BootError(`REDIS_URL: ${message === "" ? (code ?? "no answer") : message}`);
  }
  const { server, mayEvict } = found;
  if (!mayEvict) return `${server} answers and keeps what hosts put there`;
  return {
    warning: `${server} may throw away what hosts share when its memory is full: set maxmemory-policy noeviction`,
  };
}
