import { expect, it } from "vitest";
import { probeRedis } from "basehost";
import { checkRedis } from "./redis-access.ts";

it("says that Redis answers, and warns of one that throws keys away", async () => {
  const probe = (mayEvict: boolean) => async () =>
    await Promise.resolve({ server: "redis 7.2.4", mayEvict });
  expect(await checkRedis(probe(false))).toBe("redis 7.2.4 answers and keeps what hosts put there");
  expect(await checkRedis(probe(true))).toEqual({
    warning:
      "redis 7.2.4 may throw away what hosts share when its memory is full: set maxmemory-policy noeviction",
  });
});

it("fails with what the connection said", async () => {
  const nobody = checkRedis(async () => await probeRedis("redis://127.0.0.1:1"));
  await expect(nobody).rejects.toThrow(/^REDIS_URL: .*ECONNREFUSED/);
  const old = checkRedis(async () => await Promise.reject(new Error("ERR syntax error")));
  await expect(old).rejects.toThrow("REDIS_URL: ERR syntax error");
});
