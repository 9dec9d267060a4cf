import { describe, expect, test } from "vitest";
import { readHostConfig } from "../config.ts";
import { limitsFrom } from "./limit-settings.ts";
import { defaultLimits } from "./limits.ts";

const sum = (counts: object) =>
  Object.values(counts as Record<string, number>).reduce((total, count) => total + count, 0);

describe("what an operator sets", () => {
  test("nothing leaves the defaults, which fit twice into a Postgres of 100 connections", () => {
    expect(limitsFrom({})).toEqual(defaultLimits);
    expect(sum(defaultLimits.database.connections)).toBeLessThanOrEqual(45);
  });

  test("a rate scales the burst and the other services with it", () => {
    const { services } = limitsFrom({ MEMBER_REQUESTS_PER_SECOND: 40 }).requests;
    expect(services.rest.member).toMatchObject({ perSecond: 40, burst: 800, running: 8 });
    expect(services.functions.member).toMatchObject({ perSecond: 10, burst: 120 });
    expect(services.rest.stranger).toEqual(defaultLimits.requests.services.rest.stranger);
  });

  test.each([29, 42, 80, 300])("%i connections are shared out without one too many", (total) => {
    const { connections, perMember } = limitsFrom({ DATABASE_CONNECTIONS: total }).database;
    expect(sum(connections)).toBe(total);
    expect(Math.min(...Object.values(connections))).toBeGreaterThanOrEqual(1);
    expect(perMember).toBeLessThan(connections.members);
    expect(connections.authenticator).toBe(defaultLimits.database.connections.authenticator);
  });

  test.each([
    [{ MEMBER_REQUESTS_PER_SECOND: "0" }, "MEMBER_REQUESTS_PER_SECOND"],
    [{ STRANGER_REQUESTS_PER_SECOND: "many" }, "STRANGER_REQUESTS_PER_SECOND"],
    [{ DATABASE_CONNECTIONS: "10" }, "DATABASE_CONNECTIONS"],
    [{ DATABASE_CONNECTIONS: "90" }, "at most 80 without DATABASE_URL"],
  ])("%o is refused with its name", (env, fault) => {
    expect(() => readHostConfig(env)).toThrow(fault);
  });
});
