import { expect, it } from "vitest";
import { readHostConfig } from "./config.ts";

const pool = "postgresql://login:secret@127.0.0.1:6432/site";
const server = "postgresql://login:secret@127.0.0.1:5432/site";

it("takes DATABASE_URL as the server itself, unless another address is", () => {
  expect(readHostConfig({ DATABASE_URL: server })).toMatchObject({ databaseUrl: server });
  expect(readHostConfig({ DATABASE_URL: server }).databasePoolUrl).toBeUndefined();
  expect(readHostConfig({ DATABASE_URL: pool, DATABASE_DIRECT_URL: server })).toMatchObject({
    databaseUrl: server,
    databasePoolUrl: pool,
    poolKeepsStatements: false,
  });
  const same = readHostConfig({ DATABASE_URL: server, DATABASE_DIRECT_URL: server });
  expect(same.databasePoolUrl).toBeUndefined();
});

it.each([
  [{ DATABASE_DIRECT_URL: server }, "DATABASE_URL: must be set together with DATABASE_DIRECT_URL"],
  [
    { DATABASE_REPLICA_URL: server },
    "DATABASE_URL: must be set together with DATABASE_REPLICA_URL",
  ],
  [
    { DATABASE_URL: pool, DATABASE_POOL_STATEMENTS: "1" },
    "DATABASE_DIRECT_URL: must be set together with DATABASE_POOL_STATEMENTS",
  ],
  [{ DATABASE_URL: pool, DATABASE_POOL_STATEMENTS: "yes" }, "DATABASE_POOL_STATEMENTS"],
])("refuses %o by name", (env, reason) => {
  expect(() => readHostConfig(env)).toThrow(reason);
});

it("takes Redis of several hosts over one database, and names what is wrong with it", () => {
  const redisUrl = "rediss://:password@10.0.0.9:6379/1";
  const read = readHostConfig({ DATABASE_URL: server, REDIS_URL: redisUrl });
  expect(read.redisUrl).toBe(redisUrl);
  expect(readHostConfig({ DATABASE_URL: server, REDIS_URL: "" }).redisUrl).toBeUndefined();
  expect(() => readHostConfig({ DATABASE_URL: server, REDIS_URL: "http://10.0.0.9" })).toThrow(
    "REDIS_URL",
  );
  expect(() => readHostConfig({ REDIS_URL: redisUrl })).toThrow(
    "REDIS_URL: is for several hosts, so it needs DATABASE_URL",
  );
});
