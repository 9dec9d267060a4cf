import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  Arrivals,
  changesOf,
  closeListeners,
  joined,
  listener,
  visitor,
  type Payload,
} from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
beforeAll(async () => {
  await ownerConnections().query(`
    create domain public.code as char(4);
    create domain public.codes as char(4)[];
    create table public.labels (
      key char(4) primary key, flags bit(8), list char(4)[], bits bit(3)[], code public.code, codes public.codes);
    alter publication supabase_realtime add table public.labels;
    grant select on public.labels to anon`);
});
afterEach(closeListeners);
afterAll(closeOwnerConnections);

const add = async (key: string, code = "wxyz") =>
  await ownerConnections().query(
    `insert into labels values ($1, '10110011', '{abcd,ef}', '{101,010}', $2, '{ghij,k}')`,
    [key, code],
  );
const keys = (payloads: Payload[]) => payloads.map((one) => Reflect.get(one.new, "key"));

test("columns of a fixed length arrive whole, also in lists and domains", async () => {
  const { arrivals } = await changesOf(visitor(), { table: "labels" });
  await add("abcd");
  await add("zz");
  const [first, second] = await arrivals.until(2);
  expect(first?.new).toEqual({
    key: "abcd",
    flags: "10110011",
    list: ["abcd", "ef  "],
    bits: ["101", "010"],
    code: "wxyz",
    codes: ["ghij", "k   "],
  });
  expect(second?.new).toMatchObject({ key: "zz  " });
  await ownerConnections().query("delete from labels where key = 'zz'");
  expect((await arrivals.until(3))[2]?.old).toEqual({ key: "zz  " });
});

test("filters compare the whole value", async () => {
  const client = visitor();
  const heard = async (filter: string) =>
    (await changesOf(client, { table: "labels", filter })).arrivals;
  const matching = await Promise.all(
    ["key=eq.mn", "key=in.(mn,op)", "flags=eq.10110011", "key=neq.mxyz", "code=eq.abcd"].map(heard),
  );
  const others = await Promise.all(
    ["key=eq.mxyz", "key=eq.mnopq", "flags=eq.1", "key=like.m", "code=eq.a", "code=eq.abcde"].map(
      heard,
    ),
  );
  await add("mn", "abcd");
  for (const arrivals of matching) expect(keys(await arrivals.until(1))).toEqual(["mn  "]);
  const end = await heard("key=eq.last");
  await add("last");
  await end.until(1);
  for (const arrivals of others) expect(arrivals.items).toEqual([]);
});

test("a private channel replays missed binary broadcasts", async () => {
  const member = listener();
  const topic = `desk:${member.id}`;
  await ownerConnections().query("select realtime.send_binary($1, 'film', $2, true)", [
    Buffer.from([0, 255, 7]),
    topic,
  ]);
  const late = member.client.channel(topic, {
    config: { private: true, broadcast: { replay: { since: Date.now() - 60_000, limit: 5 } } },
  });
  const heard = new Arrivals<{
    payload: ArrayBuffer;
    meta?: { replayed?: boolean; id?: string };
  }>();
  late.on("broadcast", { event: "film" }, heard.add as never);
  await joined(late);
  // On a busy machine the broadcast itself may come after the join, beside the replayed one.
  const replayed = () => heard.items.find(({ meta }) => meta?.replayed === true);
  await expect.poll(replayed).toBeDefined();
  const message = replayed();
  expect([...new Uint8Array(message?.payload ?? new ArrayBuffer())]).toEqual([0, 255, 7]);
  expect(message?.meta?.id).not.toBe(randomUUID());
});
