import { deepEqual, equal, rejects } from "node:assert/strict";
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
  equal(await log.state(), undefined);
  await rejects(log.begin("one", first), SeatLostError);

  // One holder a seat, and the seats apart.
  equal(await log.hold("decoder", "one"), true);
  equal(await log.hold("decoder", "one"), true);
  equal(await log.hold("decoder", "two"), false);
  equal(await log.hold("standby", "two"), true);
  await log.release("decoder", "two");
  equal(await log.hold("decoder", "two"), false);

  await log.begin("one", first);
  deepEqual(await log.state(), { ...first, isDecoded: true });
  deepEqual(await log.read("a", 0), []);
  await log.append("one", entryOf(1));
  await log.append("one", entryOf(2));
  // Again, as after a lost answer.
  await log.append("one", { ...entryOf(2), bytes: Buffer.from("else") });
  const { sequence: head, place, position } = entryOf(2);
  deepEqual(await log.state(), { ...first, head, place, position, isDecoded: true });
  const [one, two] = [1, 2].map((at) => ({ sequence: at, bytes: entryOf(at).bytes }));
  deepEqual(await log.read("a", 0), [one, two]);
  deepEqual(await log.read("a", 1), [two]);
  await log.note("one", "a", 2n ** 62n);
  equal((await log.state())?.position, 2n ** 62n);

  // A reader that waits gets what is appended.
  const waiting = log.read("a", 2);
  await log.append("one", entryOf(3, 3));
  deepEqual(await waiting, [{ sequence: 3, bytes: entryOf(3).bytes }]);
  // The oldest are gone.
  deepEqual(
    (await log.read("a", 0)).map(({ sequence }) => sequence),
    [3],
  );

  // Who has lost the seat changes nothing any more, and holds it only when it is free.
  await expire();
  const left = await log.state();
  deepEqual([left?.isDecoded, left?.head], [false, 3]);
  await rejects(log.append("one", entryOf(4)), SeatLostError);
  equal(await log.hold("decoder", "two"), true);
  // Until its new holder says that it goes on with the run.
  equal((await log.state())?.isDecoded, false);
  await log.note("two", "a", 2n ** 62n);
  equal((await log.state())?.isDecoded, true);
  await rejects(log.append("one", entryOf(4)), SeatLostError);
  await rejects(log.note("one", "a", 1n), SeatLostError);
  await rejects(log.begin("one", first), SeatLostError);
  await log.append("two", entryOf(4));
  deepEqual(
    (await log.read("a", 3)).map(({ sequence }) => sequence),
    [4],
  );

  // A new run begins without entries, and one before it can't be written.
  await log.begin("two", { ...first, run: "b" });
  deepEqual(await log.read("a", 0), []);
  await rejects(log.append("two", entryOf(5)), SeatLostError);
  await log.release("decoder", "two");
  equal((await log.state())?.isDecoded, false);

  // What hosts subscribe to.
  equal(await log.announce("h", 1), false);
  equal(await log.announce("h", 1, Buffer.from([1, 0, 255])), true);
  equal(await log.announce("h", 1), true);
  equal(await log.announce("h", 2, Buffer.from("two")), true);
  deepEqual(await log.announced(), new Map([["h", 2]]));
  deepEqual(await log.announcement("h"), { version: 2, bytes: Buffer.from("two") });
  equal(await log.announcement("else"), undefined);
}
