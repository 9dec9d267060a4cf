import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { Arrivals, changesOf, closeListeners, joined, listener } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { startRealtime } from "./own-realtime.ts";
import { addNote, closeOwnerConnections, ownerConnections } from "./rows.ts";

type Started = Awaited<ReturnType<typeof startFixtureHost>>;
startOwnHost();
let hosts: Started[] = [];
beforeAll(async () => {
  const env = { DATABASE_URL: hostOfFile().databaseUrl };
  hosts = [await startFixtureHost(env), await startFixtureHost(env)];
});
afterEach(closeListeners);
afterAll(async () => {
  for (const host of hosts) await host.stop();
  await closeOwnerConnections();
});

test("hosts over one database share changes, broadcasts and presence", async () => {
  const topic = randomUUID();
  const members = hosts.map(({ running }) => listener({}, running));
  const received = members.map(() => new Arrivals<unknown>());
  const present = members.map(() => new Arrivals<string>());
  const channels = await Promise.all(
    members.map(async ({ client }, at) => {
      const channel = client.channel(topic, { config: { broadcast: { ack: true } } });
      channel
        .on("broadcast", { event: "*" }, ({ payload }) => received[at]?.add(payload))
        .on("presence", { event: "join" }, ({ newPresences }) =>
          present[at]?.add(`+${String(newPresences[0]?.["name"])}`),
        )
        .on("presence", { event: "leave" }, ({ leftPresences }) =>
          present[at]?.add(`-${String(leftPresences[0]?.["name"])}`),
        );
      return await joined(channel);
    }),
  );
  const changes = await Promise.all(
    members.map(async ({ client }) => await changesOf(client, { table: "posters" })),
  );
  await channels[0]?.send({ type: "broadcast", event: "x", payload: { from: "first" } });
  await channels[1]?.send({ type: "broadcast", event: "x", payload: { from: "second" } });
  expect(await received[1]?.until(1)).toEqual([{ from: "first" }]);
  expect(await received[0]?.until(1)).toEqual([{ from: "second" }]);
  await channels[0]?.track({ name: "ann" });
  expect(await present[1]?.until(1)).toEqual(["+ann"]);
  await addNote(1, "seen nowhere");
  const [first] = hosts;
  await first?.host.context.db.admin.query("insert into posters values (900001, 'both')");
  for (const { arrivals } of changes) {
    expect((await arrivals.until(1))[0]?.new).toMatchObject({ title: "both" });
  }
  await first?.host.context.db.admin.query("delete from posters where id = 900001");
  // A host that leaves tells load balancers so, and answers what still comes.
  const ready = async () => {
    const answer = await fetch(`${first?.running.url ?? ""}/readyz`);
    return [answer.status, await answer.json()];
  };
  expect(await ready()).toEqual([200, { status: "ready" }]);
  void first?.host.leave();
  expect(await ready()).toEqual([503, { status: "stopping" }]);
  const { error } = (await members[0]?.client.from("posters").select("id").limit(1)) ?? {};
  expect(error).toBeNull();
  // A host that stops takes its presences from the others.
  await hosts.shift()?.stop();
  expect(await present[1]?.until(2)).toEqual(["+ann", "-ann"]);
});

test("presences of a crashed host disappear after a timeout", async () => {
  const { databaseUrl } = hostOfFile();
  const service = await startRealtime({}, { databaseUrl });
  try {
    const topic = randomUUID();
    const member = listener({}, service.running);
    const events = new Arrivals<string>();
    const received = new Arrivals<string>();
    await joined(
      member.client
        .channel(topic)
        .on("broadcast", { event: "*" }, ({ event }) => received.add(event))
        .on("presence", { event: "join" }, ({ key }) => events.add(`+${key}`))
        .on("presence", { event: "leave" }, ({ key }) => events.add(`-${key}`)),
    );
    const from = randomUUID();
    const name = { topic, isPrivate: false };
    /** Writes an envelope to the log, as another host would. */
    const write = async (...messages: object[]) => {
      await ownerConnections().query(
        "select pg_logical_emit_message(true, 'host-realtime', $1::text)",
        [JSON.stringify({ from, messages })],
      );
    };
    const trackerId = randomUUID();
    await write({ kind: "track", name, trackerId, key: "ghost", ref: "r", json: "{}" });
    await events.until(1);
    service.advance(24_000);
    const sign = { kind: "broadcast", name, event: "alive", payload: "{}", isBytes: false };
    await write({ kind: "heartbeat" }, sign);
    await received.until(1);
    service.advance(24_000);
    await write(sign);
    await received.until(2);
    expect(events.items).toEqual(["+ghost"]);
    service.advance(26_000);
    expect(await events.until(2)).toEqual(["+ghost", "-ghost"]);
  } finally {
    await closeListeners();
    await service.stop();
  }
});
