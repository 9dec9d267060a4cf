import { expect, it } from "vitest";
import { readHostConfig } from "./config.ts";

const databaseUrl = "postgresql://host@127.0.0.1/site";

it("takes Redis of several hosts over one database, and names what is wrong with it", () => {
  const redisUrl = "rediss://:password@10.0.0.9:6379/1";
  const read = readHostConfig({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
  expect(read.redisUrl).toBe(redisUrl);
  expect(readHostConfig({ DATABASE_URL: databaseUrl, REDIS_URL: "" }).redisUrl).toBeUndefined();
  expect(() => readHostConfig({ DATABASE_URL: databaseUrl, REDIS_URL: "http://10.0.0.9" })).toThrow(
    "REDIS_URL",
  );
  expect(() => readHostConfig({ REDIS_URL: redisUrl })).toThrow(
    "REDIS_URL: is for several hosts, so it needs DATABASE_URL",
  );
});
