import { expect, test } from "vitest";
import { FairQueue, QueueFull } from "./fair-queue.ts";

/** Work that ends when it is told to, and the order in which it began. */
function workshop(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = async (caller: string, name: string) =>
    await queue.run(caller, async () => {
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

test("callers take turns, so that one who asks for much waits behind itself", async () => {
  const { begun, run, endOne } = workshop(
    new FairQueue({ atOnce: 1, waiting: 100, waitingPerCaller: 100 }),
  );
  const all = ["a1", "a2", "a3", "a4", "b1", "c1", "b2"].map(
    async (name) => await run(name.charAt(0), name),
  );
  for (const _ of all) await endOne();
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  expect(await Promise.all(all)).toHaveLength(7);
});

test("no more waits than allowed, of one caller and of all", async () => {
  const { run, endOne } = workshop(new FairQueue({ atOnce: 1, waiting: 3, waitingPerCaller: 2 }));
  const running = run("a", "a0");
  const waiting = [run("a", "a1"), run("a", "a2")];
  await expect(run("a", "a3")).rejects.toThrow(QueueFull);
  waiting.push(run("b", "b1"));
  await expect(run("c", "c1")).rejects.toThrow(QueueFull);
  for (let n = 0; n < 4; n += 1) await endOne();
  await Promise.all([running, ...waiting]);
  // Room again once all is done.
  const again = run("c", "c2");
  await endOne();
  expect(await again).toBe("c2");
});

test("work that fails hands its place on", async () => {
  const queue = new FairQueue({ atOnce: 1, waiting: 10, waitingPerCaller: 10 });
  const failing = queue.run("a", async () => await Promise.reject(new Error("no")));
  const next = queue.run("b", async () => await Promise.resolve("yes"));
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});
