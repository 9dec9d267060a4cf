import { expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import type { ProfileAnswer } from "../api/fetch-profile.ts";
import { loadProfile } from "./load-profile.ts";

const profile = {
  id: "u1",
  role: "student",
  onboardingComplete: false,
  firstName: null,
  lastName: null,
  occupation: null,
  avatarUrl: null,
  bio: null,
} as const;
const found: ProfileAnswer = { kind: "found", profile };
const missing: ProfileAnswer = { kind: "missing" };
const refused: ProfileAnswer = {
  kind: "failed",
  error: { code: "42501", message: "permission denied", status: 403 },
};
const nothing = () => Promise.resolve(null);

it("waits 500 ms times the attempt between ten attempts", async () => {
  const clock = createManualClock();
  const times: number[] = [];
  const select = () => {
    times.push(clock.now());
    return Promise.resolve(missing);
  };
  const loading = loadProfile({ select, create: nothing }, clock, "u1");
  await clock.advance(60_000);
  expect(times).toEqual([0, 500, 1500, 3000, 5000, 7500, 10_500, 14_000, 18_000, 22_500]);
  expect(await loading).toEqual({ profile: null, failed: false });
});

it("gives up at once when the database refuses", async () => {
  const clock = createManualClock();
  const select = vi.fn(() => Promise.resolve(refused));
  expect(await loadProfile({ select, create: nothing }, clock, "u1")).toEqual({
    profile: null,
    failed: true,
  });
  expect(select).toHaveBeenCalledTimes(1);
});

it("tries again after a thrown error", async () => {
  const clock = createManualClock();
  const select = vi
    .fn<() => Promise<ProfileAnswer>>()
    .mockRejectedValueOnce(new Error("network"))
    .mockResolvedValueOnce(found);
  const loading = loadProfile({ select, create: nothing }, clock, "u1");
  await clock.advance(499);
  expect(select).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  expect(await loading).toEqual({ profile, failed: false });
});

it("says it could not find out when the last attempt threw too", async () => {
  const clock = createManualClock();
  const select = () => Promise.reject(new Error("network"));
  const loading = loadProfile({ select, create: nothing }, clock, "u1");
  await clock.advance(60_000);
  expect(await loading).toEqual({ profile: null, failed: true });
});

it("gives an attempt 90 seconds", async () => {
  const clock = createManualClock();
  const select = vi
    .fn<() => Promise<ProfileAnswer>>()
    .mockReturnValueOnce(new Promise(() => {}))
    .mockResolvedValueOnce(found);
  const loading = loadProfile({ select, create: nothing }, clock, "u1");
  await clock.advance(90_499);
  expect(select).toHaveBeenCalledTimes(1);
  await clock.advance(1);
  expect((await loading).profile).toEqual(profile);
});

it("creates a missing profile at the second attempt", async () => {
  const clock = createManualClock();
  const create = vi.fn((_userId: string) => nothing());
  const select = vi
    .fn<() => Promise<ProfileAnswer>>()
    .mockResolvedValueOnce(missing)
    .mockResolvedValueOnce(missing)
    .mockResolvedValueOnce(found);
  const loading = loadProfile({ select, create }, clock, "u1");
  await clock.advance(0);
  expect(create).not.toHaveBeenCalled();
  await clock.advance(1500);
  expect(create.mock.calls).toEqual([["u1"]]);
  expect((await loading).profile).toEqual(profile);
});
