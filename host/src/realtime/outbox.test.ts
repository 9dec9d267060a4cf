import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Outbox } from "./outbox.ts";

/** Frees what nobody holds; Node has it under a flag only. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function collecting() {
  const written: Buffer[] = [];
  return { written, write: (bytes: Buffer) => void written.push(bytes) };
}

test("what is sent in one go is written once, in order, and shared by those who get the same", async () => {
  const outbox = new Outbox();
  const [one, other] = [collecting(), collecting()];
  const frames = ["a", "b"].map((text) => ({ bytes: Buffer.from(text) }));
  for (const frame of frames) for (const socket of [one, other]) outbox.add(socket, frame);
  expect(one.written).toEqual([]);
  await setImmediate();
  expect(one.written.map(String)).toEqual(["ab"]);
  expect(other.written[0]).toBe(one.written[0]);
});

test.each([
  ["small", 1_000],
  ["large", 100_000],
])("a %s frame is let go of once it is written, though nothing follows it", async (_, size) => {
  const outbox = new Outbox();
  let count = 0;
  const send = () => {
    const frame = { bytes: Buffer.alloc(size) };
    outbox.add({ write: () => (count += 1) }, frame);
    return new WeakRef(frame);
  };
  const sent = send();
  await setImmediate();
  collectGarbage();
  expect(count).toBe(1);
  expect(sent.deref() === undefined).toBe(true);
});
