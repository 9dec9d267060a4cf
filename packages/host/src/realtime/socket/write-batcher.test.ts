import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { WriteBatcher, SocketBuffer } from "./write-batcher.ts";

/** Runs the garbage collector, which Node exposes only with a flag. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

/** A socket buffer, its writes, and the number of backpressure callbacks of a stream that takes so many bytes at once. */
function collecting({ takes } = { takes: Infinity }) {
  const written: Buffer[] = [];
  const seen = { written, backpressure: 0 };
  const wire = {
    writableLength: 0,
    write: (bytes: Buffer) => {
      written.push(bytes);
      wire.writableLength = Math.max(0, bytes.length - takes);
      return wire.writableLength === 0;
    },
  };
  return { seen, buffer: new SocketBuffer(wire, () => (seen.backpressure += 1)) };
}

test("frames of one task are written once, in order, and share their bytes between sockets", async () => {
  const batcher = new WriteBatcher();
  const [one, other] = [collecting(), collecting()];
  const frames = ["a", "b"].map((text) => ({ bytes: Buffer.from(text) }));
  for (const frame of frames) for (const { buffer } of [one, other]) batcher.add(buffer, frame);
  expect(one.seen.written).toEqual([]);
  await setImmediate();
  expect(one.seen.written.map(String)).toEqual(["ab"]);
  expect(other.seen.written[0]).toBe(one.seen.written[0]);
});

test.each([
  ["small", 1_000],
  ["large", 100_000],
])("a %s frame is released once it is written, even if no other follows", async (_, size) => {
  const batcher = new WriteBatcher();
  let count = 0;
  const buffer = new SocketBuffer(
    { write: () => (count += 1) > 0, writableLength: 0 },
    () => undefined,
  );
  const send = () => {
    const frame = { bytes: Buffer.alloc(size) };
    batcher.add(buffer, frame);
    return new WeakRef(frame);
  };
  const sent = send();
  await setImmediate();
  collectGarbage();
  expect(count).toBe(1);
  expect(sent.deref() === undefined).toBe(true);
});

test("a large batch is written at once, and later frames after it", async () => {
  const batcher = new WriteBatcher();
  const { seen, buffer } = collecting();
  const [small, large] = [{ bytes: Buffer.alloc(1) }, { bytes: Buffer.alloc(100_000) }];
  for (const frame of [small, large, small, small]) batcher.add(buffer, frame);
  expect(seen.written.map(({ length }) => length)).toEqual([100_001]);
  await setImmediate();
  expect(seen.written.map(({ length }) => length)).toEqual([100_001, 2]);
});

test("backpressure is reported", async () => {
  const batcher = new WriteBatcher();
  const [free, slow] = [collecting(), collecting({ takes: 1 })];
  for (const { buffer } of [free, slow]) batcher.add(buffer, { bytes: Buffer.alloc(2) });
  await setImmediate();
  expect([free.seen.backpressure, slow.seen.backpressure]).toEqual([0, 1]);
});
