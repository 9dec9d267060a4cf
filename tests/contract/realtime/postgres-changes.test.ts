import { randomUUID } from "node:crypto";
import { postgresChangesFilter } from "@supabase/supabase-js";
import { afterAll, afterEach, expect, test } from "vitest";
import { changesOf, closeListeners, joined, listener, visitor, type Payload } from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { addNote, closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

startOwnHost();
afterEach(closeListeners);
afterAll(closeOwnerConnections);

const bodies = (payloads: Payload[]) => payloads.map((one) => Reflect.get(one.new, "body"));

test("an insert reaches exactly the subscribers whose policies show the row", async () => {
  const [high, low] = [listener(), listener()];
  await setRank(high.id, 3);
  await setRank(low.id, 1);
  const seen = await changesOf(high.client, { table: "notes" });
  const unseen = await changesOf(low.client, { table: "notes" });
  const id = await addNote(3, "for the third level");
  const last = await addNote(1, "for all");
  expect((await seen.arrivals.until(2)).map((one) => one.new)).toMatchObject([
    { id },
    { id: last },
  ]);
  expect((await unseen.arrivals.until(1)).map((one) => one.new)).toMatchObject([{ id: last }]);
  expect(seen.arrivals.items[0]).toMatchObject({
    schema: "public",
    table: "notes",
    eventType: "INSERT",
    old: {},
    errors: null,
    commit_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  // The role may not select this column.
  expect(seen.arrivals.items[0]?.new).not.toHaveProperty("secret");
});

test("values have the same format as in the REST API", async () => {
  const member = listener();
  const { arrivals } = await changesOf(member.client, { table: "notes" });
  await ownerConnections().query(
    `insert into notes (room_id, author, body, amount, big, tags, details, done, state, at, local_at, day)
     values (1, $1, 'a "quoted" \\ body 🎈', 12.50, 9007199254740991, '{a,"b,c"}', '{"deep": [1, null]}', true, 'worn',
       '2026-01-02 03:04:05.678+02', '2026-01-02 03:04:05', '2026-03-04')`,
    [member.id],
  );
  const [change] = await arrivals.until(1);
  const { data } = await member.client
    .from("notes")
    .select("id,room_id,author,body,amount,big,tags,details,done,state,at,local_at,day")
    .eq("author", member.id)
    .single();
  expect(change?.new).toEqual(data);
});

test("an update carries the row and its old key, a delete under row-level security only the key", async () => {
  const member = listener();
  await setRank(member.id, 4);
  const { arrivals } = await changesOf(member.client, { table: "notes" });
  const id = await addNote(1, "first");
  await ownerConnections().query("update notes set body = 'second' where id = $1", [id]);
  await arrivals.until(2);
  await ownerConnections().query("delete from notes where id = $1", [id]);
  await arrivals.until(3);
  expect(arrivals.items[1]).toMatchObject({ eventType: "UPDATE", new: { id, body: "second" } });
  expect(arrivals.items[1]?.old).toEqual({ id });
  expect(arrivals.items[2]).toMatchObject({ eventType: "DELETE", new: {} });
  expect(arrivals.items[2]?.old).toEqual({ id });
});

test("a full replica identity adds the old row, except for deletes under row-level security", async () => {
  const client = visitor();
  const posters = await changesOf(client, { table: "posters" });
  const guarded = await changesOf(client, { table: "guarded_posters" });
  await ownerConnections().query(
    "insert into posters values (1, 'old', 'red', repeat(md5(random()::text), 4000))",
  );
  await ownerConnections().query("update posters set title = 'new' where id = 1");
  await ownerConnections().query("delete from posters where id = 1");
  await ownerConnections().query("insert into guarded_posters values (1, 'old')");
  await posters.arrivals.until(3);
  await guarded.arrivals.until(1);
  await ownerConnections().query("delete from guarded_posters where id = 1");
  await guarded.arrivals.until(2);
  const [inserted, updated, deleted] = posters.arrivals.items;
  expect(updated).toMatchObject({
    new: { title: "new" },
    old: { id: 1, title: "old", colour: "red" },
  });
  // The log does not repeat an unchanged long value, but subscribers get it.
  expect(Reflect.get(updated?.new ?? {}, "picture")).toBe(
    Reflect.get(inserted?.new ?? {}, "picture"),
  );
  expect(deleted?.old).toMatchObject({ id: 1, title: "new" });
  expect(guarded.arrivals.items[1]?.old).toEqual({ id: 1 });
});

test("a change that cannot be delivered carries an error: no key, no privilege on the key, too large", async () => {
  const client = visitor();
  const keyless = await changesOf(client, { table: "keyless" });
  const notes = await changesOf(client, { table: "notes" });
  const posters = await changesOf(client, { table: "posters" });
  await ownerConnections().query("insert into keyless values ('x')");
  await addNote(1, "anonymous may not read notes");
  await ownerConnections().query(
    "insert into posters values (2, 'large', 'red', repeat('x', 1100000))",
  );
  expect((await keyless.arrivals.until(1))[0]?.errors).toEqual([
    "Error 400: Bad Request, no primary key",
  ]);
  expect((await notes.arrivals.until(1))[0]).toMatchObject({
    errors: ["Error 401: Unauthorized"],
    new: {},
  });
  const [large] = await posters.arrivals.until(1);
  expect(large?.errors).toEqual(["Error 413: Payload Too Large"]);
  expect(large?.new).toEqual({ id: 2, title: "large", colour: "red" });
  await ownerConnections().query("delete from posters");
});

test("events, filters and selected columns apply", async () => {
  const member = listener();
  const marker = randomUUID();
  const by = (filter: string) => ({ table: "notes", filter });
  const { client } = member;
  const all = await changesOf(client, by(`author=eq.${member.id}`));
  const chosen = {
    equal: await changesOf(client, by("body=eq.two")),
    unequal: await changesOf(client, by(`author=eq.${member.id},body=neq.two`)),
    list: await changesOf(client, by('body=in.(one,"th,ree")')),
    less: await changesOf(client, by("amount=lt.2")),
    most: await changesOf(client, by("amount=gte.2")),
    like: await changesOf(client, by(`body=like.t%`)),
    not: await changesOf(client, by(`author=eq.${member.id},body=not.in.(one,two)`)),
    done: await changesOf(client, by("done=is.true")),
    built: await changesOf(client, {
      table: "notes",
      filter: postgresChangesFilter().eq("author", member.id).gt("amount", 1).build(),
    }),
    columns: await changesOf(client, { ...by("body=eq.two"), select: ["body"] }),
  };
  for (const [at, body] of ["one", "two", "th,ree", "end"].entries()) {
    await ownerConnections().query(
      "insert into notes (room_id, author, body, amount, done, secret) values (4, $1, $2, $3, $4, $5)",
      [member.id, body, at + 1, body === "one", marker],
    );
  }
  // All channels share one socket, and everything of earlier commits was sent before this.
  await all.arrivals.until(4);
  const got = Object.fromEntries(
    Object.entries(chosen).map(([name, { arrivals }]) => [
      name,
      bodies(arrivals.items).filter((body) => body !== "end"),
    ]),
  );
  expect(got).toEqual({
    equal: ["two"],
    unequal: ["one", "th,ree"],
    list: ["one", "th,ree"],
    less: ["one"],
    most: ["two", "th,ree"],
    like: ["two", "th,ree"],
    not: ["th,ree"],
    done: ["one"],
    built: ["two", "th,ree"],
    columns: ["two"],
  });
  expect(Object.keys(chosen.columns.arrivals.items[0]?.new ?? {}).toSorted()).toEqual([
    "body",
    "id",
  ]);
});

test("an invalid subscription reports its error, and others continue", async () => {
  const { client } = listener();
  for (const [filter, words] of [
    [{ table: "unpublished" }, /Please check Realtime is enabled for the given connect parameters/],
    [{ table: "notes", filter: "nowhere=eq.1" }, /invalid column for filter nowhere/],
    [{ table: "notes", filter: "secret=eq.1" }, /invalid column for filter secret/],
    [{ table: "notes", filter: "room_id=eq.many" }, /invalid input syntax for type integer/],
    [{ table: "notes", filter: "room_id=near.1" }, /Error parsing|near/],
  ] as const) {
    const channel = client.channel(randomUUID());
    const told = new Promise<{ status: string; message: string }>((resolve) => {
      channel.on("system", {}, resolve);
    });
    channel.on("postgres_changes", { event: "*", schema: "public", ...filter }, () => undefined);
    await joined(channel);
    expect(await told).toMatchObject({ status: "error", message: expect.stringMatching(words) });
  }
  const waiting = client
    .channel(randomUUID(), { config: { postgres_changes_options: { wait: true } } })
    .on(
      "postgres_changes",
      { event: "*", schema: "public", table: "unpublished" },
      () => undefined,
    );
  await expect(joined(waiting).then(() => "joined")).rejects.toThrow(
    /RealtimeDisabledForConfiguration/,
  );
});

test("changes arrive in commit order, one whole transaction after the other", async () => {
  const member = listener();
  const { arrivals } = await changesOf(member.client, {
    table: "notes",
    filter: `author=eq.${member.id}`,
  });
  const [first, second] = [await ownerConnections().connect(), await ownerConnections().connect()];
  const insert = "insert into notes (room_id, author, body) values (1, $1, $2)";
  try {
    await first.query("begin");
    await first.query(insert, [member.id, "begun first"]);
    await second.query("begin");
    for (let n = 0; n < 300; n++) await second.query(insert, [member.id, `committed first ${n}`]);
    await second.query("commit");
    await first.query("commit");
  } finally {
    first.release();
    second.release();
  }
  const got = bodies(await arrivals.until(301));
  expect(got).toEqual([
    ...Array.from({ length: 300 }, (_, n) => `committed first ${n}`),
    "begun first",
  ]);
});
