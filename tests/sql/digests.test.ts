import { describe, expect } from "vitest";
import { insertMessage, openRoom, raise } from "./chat-world.ts";
import { claim, makeDue, queuedEmail } from "./email-world.ts";
import { test, type Row, type World } from "./world.ts";

const queueSql = "select public.queue_digests() as queued";

/** Lets time pass for what a member was told of. */
async function age(world: World, member: string, by: string): Promise<void> {
  const sql =
    "update public.notifications set created_at = now() - $2::interval where user_id = $1";
  await world.run("owner", sql, [member, by]);
}

/** A member of long ago with a confirmed address. */
async function reachable(world: World): Promise<string> {
  const member = await world.member();
  const sql =
    "update auth.users set email_confirmed_at = now(), created_at = '2020-01-01' where id = $1";
  await world.run("owner", sql, [member]);
  await world.run("owner", "delete from private.email_outbox where user_id = $1", [member]);
  return member;
}

/** Such a member, to whom another one replied eight days ago. */
async function repliedTo(world: World, room = "general") {
  const [ada, tom] = [await reachable(world), await world.member()];
  const said = { chat_room_id: room };
  if (room !== "general") for (const each of [ada, tom]) await raise(world, each, 2);
  const { id } = await insertMessage(world, ada, "Hello", said);
  await insertMessage(world, tom, "Secret words", { ...said, parent_message_id: id });
  const levels = "delete from public.notifications where user_id = $1 and kind = 'level_up'";
  await world.run("owner", levels, [ada]);
  await age(world, ada, "8 days");
  // Eight days ago is before the last Monday, and within the week before it, or not: this one is.
  const within = `update public.notifications set created_at = private.digest_moment('weekly', now()) - interval '1 minute'
    where user_id = $1`;
  await world.run("owner", within, [ada]);
  return { ada, tom, message: id };
}

async function digests(world: World, member: string): Promise<Row[]> {
  const sql = `select status, last_error, data from private.email_outbox
    where user_id = $1 and template = 'digest' order by created_at, id`;
  return await world.run("owner", sql, [member]);
}

async function choose(world: World, member: string, frequency: string): Promise<void> {
  const sql = `insert into public.digest_choices (user_id, frequency) values ($1, $2)
    on conflict (user_id) do update set user_id = excluded.user_id, frequency = excluded.frequency`;
  await world.run(member, sql, [member, frequency]);
}

/** Queues what is due and takes the member's. */
async function nextDigest(world: World, member: string): Promise<Row | undefined> {
  await world.run("service_role", queueSql);
  await makeDue(world, member);
  return await claim(world, member);
}

const send = "select public.record_email_result($1, $2) as status";

describe("a digest", () => {
  test("is weekly without a choice, and says who and where, not what", async ({ world }) => {
    const { ada } = await repliedTo(world);
    const email = await nextDigest(world, ada);
    expect(email).toMatchObject({
      template: "digest",
      data: {
        count: 1,
        lines: [
          {
            kind: "reply",
            topic: "rooms",
            actor: "Ada Byron",
            others: 0,
            room: "General",
            chat_room_id: "general",
          },
        ],
      },
    });
    expect(JSON.stringify(email)).not.toContain("Secret words");
    expect(JSON.stringify(await digests(world, ada))).not.toContain("General");
  });

  test("comes once for its period, however often it is queued", async ({ world }) => {
    const { ada } = await repliedTo(world);
    const email = await nextDigest(world, ada);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(1);
    await world.run("service_role", send, [email?.["id"], email?.["claim"]]);
    expect((await world.one("service_role", queueSql))["queued"]).toBe(0);
    // What it told is told, also to a member who now wants it daily.
    await choose(world, ada, "daily");
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toMatchObject([{ status: "sent" }]);
  });

  test("waits for its moment", async ({ world }) => {
    const { ada } = await repliedTo(world);
    await choose(world, ada, "daily");
    await age(world, ada, "0 seconds");
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toEqual([]);
    const at =
      "update public.notifications set created_at = private.digest_moment($2, now()) + $3::interval where user_id = $1";
    await world.run("owner", at, [ada, "daily", "1 second"]);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toEqual([]);
    await world.run("owner", at, [ada, "daily", "0 seconds"]);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(1);
  });

  test("is due at seven, every day or on Mondays, whatever the zone of the session", async ({
    world,
  }) => {
    const sql =
      "select private.digest_moment($1, $2) at time zone 'utc' = $3::timestamp as is_right";
    for (const zone of ["UTC", "America/Los_Angeles", "Pacific/Auckland"]) {
      await world.run("owner", `set local timezone = '${zone}'`);
      for (const [frequency, at, due] of [
        ["daily", "2026-11-25T06:59:59Z", "2026-11-24 07:00"],
        ["daily", "2026-11-25T07:00:00Z", "2026-11-25 07:00"],
        ["weekly", "2026-11-25T12:00:00Z", "2026-11-23 07:00"],
        ["weekly", "2026-11-23T06:59:59Z", "2026-11-16 07:00"],
        ["weekly", "2026-11-23T07:00:00Z", "2026-11-23 07:00"],
      ]) {
        expect(await world.one("owner", sql, [frequency, at, due])).toEqual({ is_right: true });
      }
    }
  });

  test("has nothing that is older than a week or was in the one before", async ({ world }) => {
    const { ada, tom, message } = await repliedTo(world);
    await age(world, ada, "14 days");
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toEqual([]);
    const at =
      "update public.notifications set created_at = private.digest_moment('weekly', now()) - $2::interval where user_id = $1";
    await world.run("owner", at, [ada, "2 days"]);
    const sent = `insert into private.email_outbox (user_id, template, cause_key, status, data)
      values ($1::uuid, 'digest', 'digest:' || $1::text, 'sent', jsonb_build_object('until', private.digest_moment('weekly', now()) - interval '1 day'))`;
    await world.run("owner", sent, [ada]);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(1);
    await insertMessage(world, tom, "Another", { parent_message_id: message });
    const last = `update public.notifications set created_at = private.digest_moment('weekly', now())
      where user_id = $1 and created_at > now() - interval '1 minute'`;
    await world.run("owner", last, [ada]);
    const email = await nextDigest(world, ada);
    expect(email).toMatchObject({ data: { count: 1, lines: [{ kind: "reply", others: 0 }] } });
  });

  test("does not queue behind one that waits for the mail server", async ({ world }) => {
    const { ada } = await repliedTo(world);
    const waiting = `insert into private.email_outbox (user_id, template, cause_key, data)
      values ($1::uuid, 'digest', 'digest:' || $1::text, jsonb_build_object('until', private.digest_moment('weekly', now()) - interval '1 day'))`;
    await world.run("owner", waiting, [ada]);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(1);
    await world.run(
      "owner",
      "update private.email_outbox set status = 'skipped' where user_id = $1",
      [ada],
    );
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(2);
  });

  test("gathers what happened to one thing, the newest ten, and counts the rest", async ({
    world,
  }) => {
    const { ada, tom, message } = await repliedTo(world);
    const eve = await world.member();
    await insertMessage(world, eve, "Me too", { parent_message_id: message });
    for (let left = 11; left > 0; left -= 1) {
      const { id } = await insertMessage(world, ada);
      await insertMessage(world, tom, "Yes", { parent_message_id: id });
    }
    const at = `update public.notifications set created_at = private.digest_moment('weekly', now())
      - case when actor_id = $2 then interval '1 minute' else interval '2 minutes' end where user_id = $1`;
    await world.run("owner", at, [ada, eve]);
    const email = await nextDigest(world, ada);
    const { count, lines } = (email ?? {})["data"] as { count: number; lines: Row[] };
    expect(count).toBe(12);
    expect(lines).toHaveLength(10);
    expect(lines[0]).toMatchObject({ kind: "reply", others: 1 });
  });
});

test("a digest of announcements alone goes to whom they are for and new to", async ({ world }) => {
  const room = await openRoom(world, 2);
  const [ada, low, reader] = [
    await reachable(world),
    await reachable(world),
    await reachable(world),
  ];
  for (const member of [ada, reader]) await raise(world, member, 2);
  const said = { chat_room_id: room };
  await insertMessage(world, await world.admin(), "Secret words, @everyone", said);
  await world.run(reader, "select public.mark_notifications_read(now() + interval '1 hour')");
  await world.run("owner", "delete from public.notifications where kind = 'level_up'");
  const at = (by: string) =>
    `update private.room_announcements set created_at = private.digest_moment('weekly', now()) ${by}`;
  await world.run("owner", at("+ interval '1 second'"));
  await world.run("service_role", queueSql);
  expect(await digests(world, ada)).toEqual([]);
  await world.run("owner", at("- interval '1 minute'"));
  const email = await nextDigest(world, ada);
  expect(email).toMatchObject({
    data: { count: 1, lines: [{ kind: "announcement", chat_room_id: room }] },
  });
  expect(JSON.stringify(email)).not.toContain("Secret words");
  for (const member of [low, reader]) expect(await digests(world, member)).toEqual([]);
});

describe("no digest goes to", () => {
  test("a member who wants none, also when it was queued", async ({ world }) => {
    const { ada } = await repliedTo(world);
    await choose(world, ada, "off");
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toEqual([]);
    await choose(world, ada, "weekly");
    await world.run("service_role", queueSql);
    await choose(world, ada, "off");
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "skipped",
      last_error: "switched off by the member",
    });
  });

  const changes: readonly (readonly [
    what: string,
    change: (world: World, who: { ada: string; tom: string }) => Promise<unknown>,
  ])[] = [
    [
      "who has read it meanwhile",
      async (world, { ada }) =>
        await world.run(ada, "select public.mark_notifications_read(now() + interval '1 hour')"),
    ],
    [
      "whose membership lapsed",
      async (world, { ada }) => await world.setSubscriptionStatus(ada, "canceled"),
    ],
    [
      "who turned the topic off",
      async (world, { ada }) =>
        await world.run(
          ada,
          "insert into public.notification_preferences (user_id, kind, email) values ($1, 'rooms', false)",
          [ada],
        ),
    ],
    [
      "who blocked the other",
      async (world, { ada, tom }) => await world.run(ada, "select public.block_member($1)", [tom]),
    ],
    [
      "when the other was suspended",
      async (world, { tom }) =>
        await world.run(
          "owner",
          "update auth.users set banned_until = now() + interval '1 day' where id = $1",
          [tom],
        ),
    ],
    [
      "when the message was deleted",
      async (world, { tom }) =>
        await world.run(
          "owner",
          "update public.chat_messages set deleted_at = now(), content = '' where user_id = $1",
          [tom],
        ),
    ],
  ];
  test.for(changes)("a member %s", async ([, change], { world }) => {
    const { ada, tom } = await repliedTo(world);
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toHaveLength(1);
    await change(world, { ada, tom });
    const others = "delete from private.email_outbox where user_id = $1 and template <> 'digest'";
    await world.run("owner", others, [ada]);
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({
      status: "skipped",
      last_error: "nothing waits",
    });
  });

  test("a member who may no longer read the room, and does to one who may", async ({ world }) => {
    const room = await openRoom(world, 2);
    const { ada } = await repliedTo(world, room);
    const { ada: bea } = await repliedTo(world, room);
    await world.run("service_role", queueSql);
    await raise(world, ada, 1);
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
    await makeDue(world, bea);
    expect(await claim(world, bea)).toMatchObject({ data: { lines: [{ chat_room_id: room }] } });
  });

  test.for(["lapsed", "newcomer"])("a %s", async (who, { world }) => {
    const { ada } = await repliedTo(world);
    if (who === "lapsed") await world.setSubscriptionStatus(ada, "canceled");
    else
      await world.run(
        "owner",
        "update public.profiles set onboarding_complete = false where id = $1",
        [ada],
      );
    await world.run("service_role", queueSql);
    expect(await digests(world, ada)).toEqual([]);
  });

  test("a suspended member", async ({ world }) => {
    const { ada } = await repliedTo(world);
    await world.run("service_role", queueSql);
    await world.run(
      "owner",
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      [ada],
    );
    await makeDue(world, ada);
    expect(await claim(world, ada)).toBeUndefined();
    expect(await queuedEmail(world, ada)).toMatchObject({ last_error: "the account is suspended" });
  });
});

test("only the server queues digests", async ({ world }) => {
  const ada = await world.member();
  await world.refused(ada, "42501", queueSql);
  await world.refused("anon", "42501", queueSql);
  await world.refused(ada, "42501", "select private.queue_digests()");
  await world.refused(ada, "42501", "select private.digest_moment('daily', now())");
});
