import { deepEqual, equal, rejects } from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import type { PubSub } from "basehost/testing";

/** A connection of one host, with what it heard. */
async function connect(open: () => PubSub) {
  const pubSub = open();
  const heard: string[] = [];
  const changes: boolean[] = [];
  pubSub.listen("one", {
    onMessage: (content) => heard.push(content.toString()),
    onChange: (isUp) => changes.push(isUp),
  });
  pubSub.open();
  await until(() => pubSub.isUp);
  return { pubSub, heard, changes };
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 20_000;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error("What was waited for did not happen.");
    await wait(5);
  }
}

/** What every Pub/Sub must do. `stop` and `start` are of the store. */
export async function checkPubSub(
  open: () => PubSub,
  store: { stop: () => Promise<void>; start: () => Promise<void> },
): Promise<void> {
  const [first, second] = [await connect(open), await connect(open)];
  await first.pubSub.opened;
  await first.pubSub.publish("one", "ä");
  await first.pubSub.publish("other", "for nobody");
  await second.pubSub.publish("one", "b");
  // The sender hears itself, too.
  for (const { heard } of [first, second]) await until(() => heard.length === 2);
  deepEqual(second.heard, ["ä", "b"]);

  await store.stop();
  await until(() => !first.pubSub.isUp && !second.pubSub.isUp);
  await rejects(first.pubSub.publish("one", "lost"));
  await store.start();
  await until(() => first.pubSub.isUp && second.pubSub.isUp);
  await first.pubSub.publish("one", "c");
  for (const { heard } of [first, second]) await until(() => heard.length === 3);
  deepEqual(second.heard, ["ä", "b", "c"]);
  deepEqual(second.changes.slice(-2), [false, true]);

  first.pubSub.close();
  second.pubSub.close();
  equal(second.heard.length, 3);
}
