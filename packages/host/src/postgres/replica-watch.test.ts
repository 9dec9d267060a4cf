import { afterEach, expect, it, vi } from "vitest";
import { ReplicaWatch } from "./replica-watch.ts";

/** A replica that answers as `state` says. */
const state = { isReplica: true, identity: "7", position: "0" as string | null, isAway: false };
const connect = (async () => {
  const query = async () =>
    state.isAway
      ? await Promise.reject(new Error("the machine is silent"))
      : await Promise.resolve({ rows: [{ ...state }] });
  const end = async () => await Promise.resolve();
  return await Promise.resolve({ query, end });
}) as unknown as ConstructorParameters<typeof ReplicaWatch>[0]["connect"];

let now = 1000;
let written = 0;
const log = { warn: vi.fn(), info: vi.fn() };
const watches: ReplicaWatch[] = [];

async function newWatch(): Promise<ReplicaWatch> {
  const query = async () =>
    await Promise.resolve({ rows: [{ position: String(written), identity: "7" }] });
  const primary = { query } as unknown as ConstructorParameters<typeof ReplicaWatch>[0]["primary"];
  vi.useFakeTimers();
  const watch = new ReplicaWatch({ connect, primary, log, now: () => now });
  watches.push(watch);
  await watch.compare();
  return watch;
}

afterEach(() => {
  vi.useRealTimers();
  for (const watch of watches.splice(0)) watch.stop();
  Object.assign(state, { isReplica: true, identity: "7", position: "0", isAway: false });
  now = 1000;
  written = 0;
  vi.clearAllMocks();
});

it("knows until when a replica holds everything, by what the primary had reached then", async () => {
  const watch = await newWatch();
  expect(watch.heldUntil).toBe(1000);
  now = 2000;
  written = 50;
  await watch.compare();
  expect([watch.heldUntil, watch.lagMs]).toEqual([1000, 1000]);
  now = 3000;
  written = 90;
  state.position = "60";
  await watch.compare();
  expect([watch.heldUntil, watch.lagMs]).toEqual([2000, 1000]);
});

it("counts a replica as fresh while nobody writes, and as old once it has lost its primary", async () => {
  const watch = await newWatch();
  now = 60_000;
  await watch.compare();
  expect(watch.lagMs).toBe(0);
  // It replayed all it has received, and receives nothing more.
  for (let at = 1; at <= 20; at++) {
    now += 500;
    written += 10;
    await watch.compare();
  }
  expect(watch.lagMs).toBe(10_000);
});

it.each([
  ["a server that was promoted", { isReplica: false, position: null }, /no replica/],
  ["a copy of another cluster", { identity: "8" }, /another cluster/],
  ["one that is ahead of a primary that was replaced", { position: "10" }, /does not/],
])("does not know it of %s", async (_, changed, reason) => {
  const watch = await newWatch();
  Object.assign(state, changed);
  await watch.compare();
  expect(watch.lagMs).toBeUndefined();
  expect(watch.problem).toMatch(reason);
  expect(log.warn).toHaveBeenCalledOnce();
});

it("lets what was known grow old while a replica is silent, says so once, and that it is back", async () => {
  const watch = await newWatch();
  state.isAway = true;
  for (let at = 1; at <= 3; at++) {
    now += 500;
    await watch.compare();
  }
  expect([watch.lagMs, watch.problem]).toEqual([1500, "the machine is silent"]);
  expect(log.warn).toHaveBeenCalledOnce();
  state.isAway = false;
  await watch.compare();
  expect([watch.lagMs, watch.problem]).toEqual([0, undefined]);
  expect(log.info).toHaveBeenCalledOnce();
});
