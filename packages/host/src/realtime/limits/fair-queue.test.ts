import { expect, test } from "vitest";
import { FairQueue, QueueFullError } from "./fair-queue.ts";

const roomy = { concurrency: 2, waiting: 100, waitingAnon: 100, waitingPerCaller: 100 };

/** Work that the test ends, and the order in which it began. */
function workshop(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = async (caller: string, name: string, isAnon = false) =>
    await queue.run({ name: caller, isAnon }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, run, endOne };
}

test("callers are served in turn, so that a busy caller delays only itself", async () => {
  const { begun, run, endOne } = workshop(new FairQueue({ ...roomy, concurrency: 1 }));
  const all = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map(
    async (name) => await run(name.charAt(0), name),
  );
  for (const _ of all) await endOne();
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  expect(await Promise.all(all)).toHaveLength(7);
});

test("the queue is limited for each caller and in total", async () => {
  const { run, endOne } = workshop(
    new FairQueue({ ...roomy, concurrency: 1, waiting: 3, waitingPerCaller: 2 }),
  );
  const running = run("a", "a0");
  const waiting = [run("a", "a1"), run("a", "a2")];
  await expect(run("a", "a3")).rejects.toThrow(QueueFullError);
  waiting.push(run("b", "b1"));
  await expect(run("c", "c1")).rejects.toThrow(QueueFullError);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all([running, ...waiting]);
  // Room again once all is done.
  const again = run("c", "c2");
  await endOne();
  expect(await again).toBe("c2");
});

test("failed work frees its slot", async () => {
  const queue = new FairQueue({ ...roomy, concurrency: 1 });
  const failing = queue.run(
    { name: "a", isAnon: false },
    async () => await Promise.reject(new Error("no")),
  );
  const next = queue.run({ name: "b", isAnon: false }, async () => await Promise.resolve("yes"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("a caller has one piece of work running at a time, and others overtake its queued work", async () => {
  const { begun, run, endOne } = workshop(new FairQueue(roomy));
  const all = ["a1", "a2", "a3"].map(async (name) => await run("a", name));
  expect(begun).toEqual(["a1"]);
  all.push(run("b", "b1"));
  expect(begun).toEqual(["a1", "b1"]);
  for (let n = 0; n < 4; n += 1) await endOne();
  expect(begun).toEqual(["a1", "b1", "a2", "a3"]);
  expect(await Promise.all(all)).toHaveLength(4);
});

test("anonymous callers leave room for accounts, which wait for at most one of them", async () => {
  const { begun, run, endOne } = workshop(
    new FairQueue({ ...roomy, concurrency: 1, waiting: 5, waitingAnon: 3 }),
  );
  const all = ["s0", "s1", "s2", "s3"].map(async (name) => await run(name, name, true));
  await expect(run("s4", "s4", true)).rejects.toThrow(QueueFullError);
  all.push(run("m1", "m1"), run("m2", "m2"));
  await expect(run("m3", "m3")).rejects.toThrow(QueueFullError);
  for (const _ of all) await endOne();
  expect(begun).toEqual(["s0", "m1", "s1", "m2", "s2", "s3"]);
  expect(await Promise.all(all)).toHaveLength(6);
});
