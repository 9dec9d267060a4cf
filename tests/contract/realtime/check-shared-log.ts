import { expect } from "vitest";
import { SeatLostError, type LogState, type SharedLog } from "basehost/testing";

const noPlace = { lsn: 0n, index: -1 };
const first: LogState = { run: "a", source: "s/1", head: 0, place: noPlace, position: 7n };

const entryOf = (sequence: number, oldest = 1) => ({
  run: "a",
  sequence,
  bytes: Buffer.from([0, sequence, 255]),
  place: { lsn: 2n ** 60n + BigInt(sequence), index: sequence },
  position: 2n ** 61n + BigInt(sequence),
  oldest,
});

/** What every shared log must do. `expire` takes the decoder's seat from its holder, as time does. */
export async function checkSharedLog(log: SharedLog, expire: () => Promise<void>): Promise<void> {
  expect(await log.state()).toBeUndefined();
  await expect(log.begin("one", first)).rejects.toThrow(SeatLostError);

  // One holder a seat, and the seats apart.
  expect(await log.hold("decoder", "one")).toBe(true);
  expect(await log.hold("decoder", "one")).toBe(true);
  expect(await log.hold("decoder", "two")).toBe(false);
  expect(await log.hold("standby", "two")).toBe(true);
  await log.release("decoder", "two");
  expect(await log.hold("decoder", "two")).toBe(false);

  await log.begin("one", first);
  expect(await log.state()).toEqual({ ...first, isDecoded: true });
  expect(await log.read("a", 0)).toEqual([]);
  await log.append("one", entryOf(1));
  await log.append("one", entryOf(2));
  // Again, as after a lost answer.
  await log.append("one", { ...entryOf(2), bytes: Buffer.from("else") });
  const { sequence: head, place, position } = entryOf(2);
  expect(await log.state()).toEqual({ ...first, head, place, position, isDecoded: true });
  const [one, two] = [1, 2].map((at) => ({ sequence: at, bytes: entryOf(at).bytes }));
  expect(await log.read("a", 0)).toEqual([one, two]);
  expect(await log.read("a", 1)).toEqual([two]);
  await log.note("one", "a", 2n ** 62n);
  expect((await log.state())?.position).toBe(2n ** 62n);

  // A reader that waits gets what is appended.
  const waiting = log.read("a", 2);
  await log.append("one", entryOf(3, 3));
  expect(await waiting).toEqual([{ sequence: 3, bytes: entryOf(3).bytes }]);
  // The oldest are gone.
  expect((await log.read("a", 0)).map(({ sequence }) => sequence)).toEqual([3]);

  // Who has lost the seat changes nothing any more, and holds it only when it is free.
  await expire();
  expect(await log.state()).toMatchObject({ isDecoded: false, head: 3 });
  await expect(log.append("one", entryOf(4))).rejects.toThrow(SeatLostError);
  expect(await log.hold("decoder", "two")).toBe(true);
  await expect(log.append("one", entryOf(4))).rejects.toThrow(SeatLostError);
  await expect(log.note("one", "a", 1n)).rejects.toThrow(SeatLostError);
  await expect(log.begin("one", first)).rejects.toThrow(SeatLostError);
  await log.append("two", entryOf(4));
  expect((await log.read("a", 3)).map(({ sequence }) => sequence)).toEqual([4]);

  // A new run begins without entries, and one before it can't be written.
  await log.begin("two", { ...first, run: "b" });
  expect(await log.read("a", 0)).toEqual([]);
  await expect(log.append("two", entryOf(5))).rejects.toThrow(SeatLostError);
  await log.release("decoder", "two");
  expect((await log.state())?.isDecoded).toBe(false);
}
