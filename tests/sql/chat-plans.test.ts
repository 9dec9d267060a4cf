import { expect } from "vitest";
import { openRoom } from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const messageCount = 5000;

/** One node of a query plan. */
interface Node {
  readonly "Node Type": string;
  readonly "Index Name"?: string;
  readonly "Relation Name"?: string;
  readonly "Subplan Name"?: string;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Node[];
}

const withParts = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(withParts)];

/** Many messages in a busy room, half as many in a second one, and ten in a quiet one. */
async function crowd(world: World, author: string): Promise<{ busy: string; quiet: string }> {
  const [busy, other, quiet] = [
    await openRoom(world),
    await openRoom(world),
    await openRoom(world),
  ];
  await world.run("owner", "set local session_replication_role = replica");
  const sql = `insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at)
    select $1, $2, 'No. ' || g, now() - make_interval(secs => g), now() - make_interval(secs => g)
    from generate_series(1, $3::int) g`;
  for (const [room, n] of [
    [busy, messageCount],
    [other, messageCount / 2],
    [quiet, 10],
  ] as const) {
    await world.run("owner", sql, [author, room, n]);
  }
  await world.run("owner", "set local session_replication_role = origin");
  await world.run("owner", "analyze public.chat_messages");
  return { busy, quiet };
}

async function planOf(world: World, actor: string, sql: string, room: string): Promise<Node[]> {
  const [row] = await world.run(
    actor,
    `explain (analyze, costs off, timing off, summary off, format json) ${sql.replace("$1", `'${room}'`)}`,
  );
  const explained = (row ?? {})["QUERY PLAN"] as readonly { Plan: Node }[];
  return explained.flatMap(({ Plan }) => withParts(Plan));
}

/** How many rows of chat_messages this transaction has read so far. */
async function readSoFar(world: World): Promise<Row> {
  return await world.one(
    "owner",
    `select seq_scan::int as scans, idx_tup_fetch::int as fetched
     from pg_stat_xact_user_tables where relid = 'public.chat_messages'::regclass`,
  );
}

test.for([
  "select * from public.chat_messages where chat_room_id = $1 order by created_at desc limit 50",
  "select * from public.chat_messages where chat_room_id = $1 order by created_at desc, id limit 50",
  "select * from public.chat_messages where chat_room_id = $1 order by created_at limit 50",
  `select * from public.chat_messages where chat_room_id = $1 and created_at < now() - interval '1 minute'
     order by created_at desc, id limit 50`,
])(
  "%s scans the index of the room, and evaluates rooms and session once",
  async (sql, { world }) => {
    const ada = await world.member();
    const { busy, quiet } = await crowd(world, ada);
    for (const room of [busy, quiet]) {
      const plan = await planOf(world, ada, sql, room);
      const kinds = plan.map((node) => node["Node Type"]);
      const indexes = plan.map((node) => node["Index Name"]);
      const used = indexes.filter((name) => name?.startsWith("chat_messages"));
      // Ten rows may be read through any index on the room and sorted; thousands may not.
      if (room === quiet) {
        expect(["chat_messages_room_idx", "chat_messages_changes_idx"]).toEqual(
          expect.arrayContaining(used),
        );
      } else {
        expect(used).toEqual(["chat_messages_room_idx"]);
        expect(kinds).not.toContain("Sort");
      }
      const scanned = plan.filter((node) => node["Node Type"] === "Seq Scan");
      expect(scanned.map((node) => node["Relation Name"])).not.toContain("chat_messages");
      const asked = plan.filter((node) => node["Subplan Name"]?.startsWith("InitPlan"));
      expect(asked).toHaveLength(2);
      expect(asked.filter((node) => (node["Actual Loops"] ?? 0) > 1)).toEqual([]);
    }
  },
);

test.for([
  ["select * from public.room_page($1)", 50],
  ["select * from public.room_page($1, now() - interval '1 minute', gen_random_uuid())", 50],
  ["select * from public.room_changes_since($1, now() - interval '1 hour')", 100],
  [
    "select * from public.room_changes_since($1, now() - interval '1 hour', gen_random_uuid())",
    100,
  ],
] as const)(
  "%s reads no more rows than it returns, also with a cached plan",
  async ([sql, rows], { world }) => {
    const ada = await world.member();
    const { busy } = await crowd(world, ada);
    // From the sixth call on, Postgres may use a generic plan.
    for (let time = 1; time <= 8; time += 1) {
      const before = await readSoFar(world);
      expect(await world.run(ada, sql, [busy])).toHaveLength(rows);
      const after = await readSoFar(world);
      expect(after["scans"]).toBe(before["scans"]);
      expect(Number(after["fetched"]) - Number(before["fetched"])).toBeLessThanOrEqual(rows + 1);
    }
  },
);

test("what is written around a reported message is read by the index, also with a cached plan", async ({
  world,
}) => {
  const { busy } = await crowd(world, await world.member());
  const { id } = await world.one(
    "owner",
    "select id from public.chat_messages where chat_room_id = $1 order by created_at offset $2 limit 1",
    [busy, messageCount / 2],
  );
  for (let time = 1; time <= 8; time += 1) {
    const before = await readSoFar(world);
    const { around } = await world.one("owner", "select private.around_message($1) as around", [
      id,
    ]);
    const after = await readSoFar(world);
    const { before: earlier, after: later } = around as { before: unknown[]; after: unknown[] };
    expect([earlier.length, later.length]).toEqual([5, 3]);
    expect(after["scans"]).toBe(before["scans"]);
    // The message, and its neighbours with itself at the beginning of either side.
    expect(Number(after["fetched"]) - Number(before["fetched"])).toBeLessThanOrEqual(12);
  }
});

test("the overview reads no more rows than it counts", async ({ world }) => {
  const [ada, bob] = [await world.member(), await world.member()];
  await crowd(world, ada);
  await world.run("owner", "update auth.users set created_at = '2001-01-01' where id = $1", [bob]);
  const before = await readSoFar(world);
  await world.run(bob, "select * from public.chat_room_overview()");
  const after = await readSoFar(world);
  expect(after["scans"]).toBe(before["scans"]);
  // 99 and the newest of each room this test or the product has.
  const rooms = Number(
    (await world.one("owner", "select count(*)::int as n from public.chat_rooms"))["n"],
  );
  expect(Number(after["fetched"]) - Number(before["fetched"])).toBeLessThanOrEqual(rooms * 100);
});

test("the number of unread rooms looks at 200 messages of a room at most, by its index", async ({
  world,
}) => {
  const [ada, bob] = [await world.member(), await world.member()];
  await crowd(world, bob);
  await world.run("owner", "update auth.users set created_at = '2020-01-01' where id = $1", [ada]);
  const deleteAll = `update public.chat_messages set deleted_at = now(), content = '',
    picture = null, picture_width = null, picture_height = null, picture_alt = null`;
  await world.run("owner", deleteAll);
  // Other files' rooms are there as well.
  const { most } = await world.one(
    "owner",
    `select sum(least(n, 200))::int + 100 as most
     from (select count(*) as n from public.chat_messages group by chat_room_id) rooms`,
  );
  const before = await readSoFar(world);
  expect(await world.one(ada, "select public.unread_rooms() as n")).toEqual({ n: 0 });
  const after = await readSoFar(world);
  expect(after["scans"]).toBe(before["scans"]);
  expect(Number(after["fetched"]) - Number(before["fetched"])).toBeLessThan(Number(most));
});

test("there is no index on the time alone that the planner might prefer", async ({ world }) => {
  const sql = `select i.indexrelid::regclass::text as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where i.indrelid = 'public.chat_messages'::regclass and a.attname in ('created_at', 'changed_at')`;
  expect(await world.run("owner", sql)).toEqual([]);
});
