import { expect, test } from "vitest";
import { loadOf } from "./model.ts";

const day = {
  requests: 50,
  logBytes: 100_000,
  storedBytes: 4000,
  hostMs: 150,
  postgresMs: 300,
};

test("the load of an install is the measured day times the members who come, with a peak above the mean", () => {
  const load = loadOf(86_400, day, { activeShare: 0.5, peakFactor: 4, emailsPerMember: 0.25 });
  // 43,200 members a day are half a member a second, and two at the peak.
  expect(load).toEqual({
    members: 86_400,
    requestsPerSecondAtPeak: 100,
    logBytesPerDay: 4_320_000_000,
    storedBytesPerYear: 63_072_000_000,
    hostCores: 0.3,
    postgresCores: 0.6,
    emailsPerDay: 21_600,
  });
});

test("ten times the members are ten times the load", () => {
  const [small, large] = [loadOf(1000, day), loadOf(10_000, day)];
  for (const [name, value] of Object.entries(small)) {
    expect(large[name as keyof typeof large], name).toBeCloseTo(value * 10, 6);
  }
});
