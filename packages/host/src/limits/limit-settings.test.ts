import { describe, expect, test } from "vitest";
import { readHostConfig } from "../config.ts";
import { readLimits } from "./limit-settings.ts";
import { defaultLimits } from "./limits.ts";

const sum = (counts: object) =>
  Object.values(counts as Record<string, number>).reduce((total, count) => total + count, 0);

describe("limits from the environment", () => {
  test("are the defaults without settings, which fit twice into a Postgres of 100 connections", () => {
    expect(readLimits({})).toEqual(defaultLimits);
    expect(sum(defaultLimits.database.connections)).toBeLessThanOrEqual(45);
  });

  test("scale the burst and the other services with a rate", () => {
    const { services } = readLimits({ MEMBER_REQUESTS_PER_SECOND: 40 }).requests;
    expect(services.rest.member).toMatchObject({ perSecond: 40, burst: 800, maxConcurrent: 8 });
    expect(services.functions.member).toMatchObject({ perSecond: 10, burst: 120 });
    expect(services.rest.anonymous).toEqual(defaultLimits.requests.services.rest.anonymous);
  });

  test.each([29, 42, 80, 300])("distribute exactly %i connections", (total) => {
    const { connections, perMember } = readLimits({ DATABASE_CONNECTIONS: total }).database;
    expect(sum(connections)).toBe(total);
    expect(Math.min(...Object.values(connections))).toBeGreaterThanOrEqual(1);
    expect(perMember).toBeLessThan(connections.members);
    expect(connections.authenticator).toBe(defaultLimits.database.connections.authenticator);
  });

  test.each([
    [{ MEMBER_REQUESTS_PER_SECOND: "0" }, "MEMBER_REQUESTS_PER_SECOND"],
    [{ ANONYMOUS_REQUESTS_PER_SECOND: "many" }, "ANONYMOUS_REQUESTS_PER_SECOND"],
    [{ DATABASE_CONNECTIONS: "10" }, "DATABASE_CONNECTIONS"],
    [
      { DATABASE_CONNECTIONS: "90", DATABASE_MAX_CONNECTIONS: "100" },
      "at most 80 without DATABASE_URL",
    ],
  ])("reject %o and name the variable", (env, message) => {
    expect(() => readHostConfig(env)).toThrow(message);
  });
});
