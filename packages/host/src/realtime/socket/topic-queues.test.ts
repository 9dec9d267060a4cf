import { expect, test } from "vitest";
import { TopicQueues } from "./topic-queues.ts";

const later = async () => await new Promise((resolve) => setImmediate(resolve));

test("messages of a topic are handled in order, those of other topics do not wait", async () => {
  const queue = new TopicQueues();
  const done: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const say = (name: string, until = Promise.resolve()) => ({
    bytes: 10,
    work: async () => {
      await until;
      done.push(name);
    },
  });
  queue.add("a", say("a1", held));
  queue.add("a", say("a2"));
  queue.add("b", say("b1"));
  await later();
  expect(done).toEqual(["b1"]);
  expect([queue.messages, queue.bytes]).toEqual([2, 20]);
  release();
  await later();
  expect(done).toEqual(["b1", "a1", "a2"]);
  expect([queue.messages, queue.bytes]).toEqual([0, 0]);
  queue.add("a", say("a3"));
  await later();
  expect(done.at(-1)).toBe("a3");
});

test("messages queued when the socket closes are dropped", async () => {
  const queue = new TopicQueues();
  const done: string[] = [];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  queue.add("a", { bytes: 10, work: async () => await held });
  queue.add("a", { bytes: 10, work: async () => void done.push(await Promise.resolve("a2")) });
  await later();
  queue.clear();
  expect([queue.messages, queue.bytes]).toEqual([0, 0]);
  release();
  await later();
  expect(done).toEqual([]);
  expect([queue.messages, queue.bytes]).toEqual([0, 0]);
});
