import { mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { diskCheck } from "./disk-check.ts";

let folder = "";
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "disk-check-"))));
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.useRealTimers();
});

const giB = 1024 ** 3;
/** A disk of 100 GiB with so much free. */
const disk = (freeGiB: number) => async () =>
  await Promise.resolve({ bavail: freeGiB * giB, blocks: 100 * giB, bsize: 1 });
const written = async () => await Promise.resolve();
const refused = (code: string) => async () =>
  await Promise.reject(Object.assign(new Error(code), { code }));

it("is fine on a disk that takes a write, and leaves nothing behind", async () => {
  expect((await diskCheck(folder)()).state).not.toBe("failing");
  expect(readdirSync(folder)).toEqual([]);
});

it("writes indeed: the device that is always full is full", async () => {
  symlinkSync("/dev/full", join(folder, "write-probe.new"));
  expect(await diskCheck(folder)()).toEqual({ state: "failing", detail: "the disk is full" });
});

it.each([
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk is full"],
  ["EROFS", "the disk is read-only"],
  ["EIO", "the disk can't be written: EIO"],
])("says what %s means", async (code, detail) => {
  const check = diskCheck(folder, { write: refused(code), stat: disk(50) });
  expect(await check()).toEqual({ state: "failing", detail });
});

it.each([
  [0.5, "failing"],
  // Two hundredths of a large disk are room enough.
  [1.5, "warning"],
  [9, "warning"],
  [11, "ok"],
] as const)("with %d of 100 GiB free is %s", async (free, state) => {
  expect(await diskCheck(folder, { write: written, stat: disk(free) })()).toMatchObject({ state });
});

it("does not wait for a disk that gives no answer", async () => {
  vi.useFakeTimers();
  const never = async () => await new Promise<never>(() => undefined);
  const check = diskCheck(folder, { write: never, stat: disk(50) })();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await check).toEqual({ state: "failing", detail: "the disk does not answer" });
});
