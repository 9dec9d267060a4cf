import { describe, expect } from "vitest";
import { insertMessage, openRoom, raise } from "./chat-world.ts";
import { p256dh, pushEndpoints, pushSecret, subscribeBrowser } from "./push-world.ts";
import { connectTestOwner, test, untilBlocked, World, type Row } from "./world.ts";

const claimSql = "select * from public.claim_pushes()";
const resultSql = "select public.record_push_result($1, $2, $3, $4) as known";
async function waiting(world: World, member: string): Promise<Row[]> {
  const sql = `select o.attempts, round(extract(epoch from o.next_attempt_at - clock_timestamp()) / 60)::integer as pause
    from private.push_outbox o join public.push_subscriptions s on s.id = o.subscription_id
    where s.user_id = $1`;
  return await world.run("owner", sql, [member]);
}

/** Claims what is due, and answers what is for these endpoints. */
async function claimFor(world: World, ...endpoints: string[]): Promise<Row[]> {
  await world.run("owner", "update private.push_outbox set next_attempt_at = '2000-01-01'");
  const rows = await world.run("service_role", claimSql);
  return rows.filter(({ endpoint }) => endpoints.includes(String(endpoint)));
}

/** A member with push on, to whom another replied. */
async function repliedTo(world: World, room = "general") {
  const [ada, tom] = [await world.member(), await world.member()];
  if (room !== "general") for (const each of [ada, tom]) await raise(world, each, 2);
  const endpoint = await subscribeBrowser(world, ada);
  const { id } = await insertMessage(world, ada, "Hello", { chat_room_id: room });
  const said = { chat_room_id: room, parent_message_id: id };
  await insertMessage(world, tom, "Secret words", said);
  return { ada, tom, endpoint, message: id };
}

describe("a push message", () => {
  test("goes to each browser of its member, and says who and where, not what", async ({
    world,
  }) => {
    const { ada, tom, endpoint, message } = await repliedTo(world);
    const second = await subscribeBrowser(world, ada);
    await subscribeBrowser(world, tom);
    await insertMessage(world, tom, "Secret words", { parent_message_id: message });
    expect(await waiting(world, tom)).toEqual([]);
    const rows = await claimFor(world, endpoint, second);
    expect(rows.map((row) => String(row["endpoint"])).toSorted()).toEqual(
      [endpoint, endpoint, second].toSorted(),
    );
    expect(rows[0]).toMatchObject({
      p256dh,
      auth_key: pushSecret,
      line: {
        kind: "reply",
        topic: "rooms",
        actor: "Ada Byron",
        room: "General",
        tag: `reply:${String(message)}`,
      },
    });
    expect(JSON.stringify(rows)).not.toContain("Secret words");
  });

  test("is taken by one sender, and gone once it was sent", async ({ world }) => {
    const { ada, endpoint } = await repliedTo(world);
    const [push] = await claimFor(world, endpoint);
    expect(await world.run("service_role", claimSql)).toEqual([]);
    const { notification_id, subscription_id, claim } = push ?? {};
    const other = "00000000-0000-4000-8000-000000000000";
    const said = [notification_id, subscription_id];
    expect(await world.one("service_role", resultSql, [...said, other, "gone"])).toEqual({
      known: false,
    });
    expect(await world.one("service_role", resultSql, [...said, other, "sent"])).toEqual({
      known: false,
    });
    expect(await waiting(world, ada)).toHaveLength(1);
    expect(await world.one("service_role", resultSql, [...said, claim, "sent"])).toEqual({
      known: true,
    });
    expect(await waiting(world, ada)).toEqual([]);
    expect(await pushEndpoints(world, ada)).toEqual([endpoint]);
  });

  test("that failed comes again after a minute, two, four, and ten times at most", async ({
    world,
  }) => {
    const { ada, endpoint } = await repliedTo(world);
    const pauses = [];
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const [push] = await claimFor(world, endpoint);
      const { notification_id, subscription_id, claim } = push ?? {};
      await world.run("service_role", resultSql, [
        notification_id,
        subscription_id,
        claim,
        "later",
      ]);
      pauses.push((await waiting(world, ada))[0]?.["pause"]);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    expect(await claimFor(world, endpoint)).toEqual([]);
    expect(await waiting(world, ada)).toEqual([]);
  });

  test("to a browser that is gone ends its subscription", async ({ world }) => {
    const { ada, endpoint } = await repliedTo(world);
    const [push] = await claimFor(world, endpoint);
    const { notification_id, subscription_id, claim } = push ?? {};
    await world.run("service_role", resultSql, [notification_id, subscription_id, claim, "gone"]);
    expect(await pushEndpoints(world, ada)).toEqual([]);
    expect(await waiting(world, ada)).toEqual([]);
  });

  test("to a browser that is gone waits for its sign-out without a deadlock", async () => {
    const [setup, signOut, sender] = [
      await connectTestOwner(),
      await connectTestOwner(),
      await connectTestOwner(),
    ];
    try {
      await setup.query("begin");
      const { ada } = await repliedTo(new World(setup));
      const claimed = await setup.query<{ notification_id: string; subscription_id: string }>(
        `update private.push_outbox o set claim = gen_random_uuid() from public.push_subscriptions s
         where s.id = o.subscription_id and s.user_id = $1 returning o.*`,
        [ada],
      );
      await setup.query("commit");
      const { notification_id, subscription_id, claim } = (claimed.rows[0] ?? {}) as Row;
      const pid = await sender.query<{ pid: number }>("select pg_backend_pid() as pid");
      // Ending a session deletes its subscriptions before their messages.
      await signOut.query("begin");
      const lock = "select from public.push_subscriptions where id = $1 for update";
      await signOut.query(lock, [subscription_id]);
      const told = sender.query(resultSql, [notification_id, subscription_id, claim, "gone"]);
      await untilBlocked(setup, pid.rows[0]?.pid ?? 0);
      await signOut.query("delete from auth.sessions where id = $1", [ada]);
      await signOut.query("commit");
      expect((await told).rows).toEqual([{ known: false }]);
      await setup.query("delete from auth.users where id = $1", [ada]);
    } finally {
      await Promise.all([setup.end(), signOut.end(), sender.end()]);
    }
  });

  test("older than six hours is forgotten also where none is sent", async ({ world }) => {
    const { ada } = await repliedTo(world);
    const made =
      "update private.push_outbox o set created_at = now() - $2::interval from public.push_subscriptions s where s.id = o.subscription_id and s.user_id = $1";
    const left = async (age: string) => {
      await world.run("owner", made, [ada, age]);
      await world.run("service_role", "select public.purge_notifications()");
      return (await waiting(world, ada)).length;
    };
    expect(await left("5 hours 59 minutes")).toBe(1);
    expect(await left("6 hours 1 minute")).toBe(0);
  });

  test("is not made for an announcement, which is read when it becomes a notification", async ({
    world,
  }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    await subscribeBrowser(world, ada);
    await insertMessage(world, admin, "Hello @everyone");
    await world.run(ada, "select public.mark_notifications_read(now() + interval '1 hour')");
    const read = "select from public.notifications where user_id = $1 and kind = 'announcement'";
    expect(await world.count("owner", read, [ada])).toBe(1);
    expect(await waiting(world, ada)).toEqual([]);
  });

  type Change = (world: World, who: { ada: string; tom: string }) => Promise<unknown>;
  const owner =
    (sql: string, who: "ada" | "tom"): Change =>
    async (world, members) =>
      await world.run("owner", sql, [members[who]]);
  const member =
    (sql: string): Change =>
    async (world, { ada }) =>
      await world.run(ada, sql, [ada]);
  const changes: readonly (readonly [what: string, change: Change])[] = [
    [
      "was read meanwhile",
      async (world, { ada }) =>
        await world.run(ada, "select public.mark_notifications_read(now() + interval '1 hour')"),
    ],
    [
      "is of a topic that was turned off",
      member(
        "insert into public.notification_preferences (user_id, kind, push) values ($1, 'rooms', false)",
      ),
    ],
    [
      "is for a member who lapsed",
      async (world, { ada }) => await world.setSubscriptionStatus(ada, "canceled"),
    ],
    [
      "is for a member who was suspended",
      owner("update auth.users set banned_until = now() + interval '1 day' where id = $1", "ada"),
    ],
    [
      "is of a member who was suspended",
      owner("update auth.users set banned_until = now() + interval '1 day' where id = $1", "tom"),
    ],
    [
      "is of a member who was blocked",
      async (world, { ada, tom }) => await world.run(ada, "select public.block_member($1)", [tom]),
    ],
    [
      "is about a deleted message",
      owner(
        "update public.chat_messages set deleted_at = now(), content = '' where user_id = $1",
        "tom",
      ),
    ],
    [
      "is for an ended session",
      owner("update auth.sessions set not_after = now() where id = $1", "ada"),
    ],
    [
      "is older than six hours",
      owner(
        "update private.push_outbox o set created_at = now() - interval '6 hours' from public.push_subscriptions s where s.id = o.subscription_id and s.user_id = $1",
        "ada",
      ),
    ],
    [
      "is for a service that is no longer sent to",
      async (world) => await world.run("owner", "delete from private.push_services"),
    ],
  ];
  test.for(changes)("that %s is not sent, and forgotten", async ([, change], { world }) => {
    const { ada, tom, endpoint } = await repliedTo(world);
    expect(await waiting(world, ada)).toHaveLength(1);
    await change(world, { ada, tom });
    expect(await claimFor(world, endpoint)).toEqual([]);
    expect(await waiting(world, ada)).toEqual([]);
  });

  test("of a room that is closed to the member now is not sent", async ({ world }) => {
    const room = await openRoom(world, 2);
    const { ada, endpoint } = await repliedTo(world, room);
    const { endpoint: theirs } = await repliedTo(world, room);
    await raise(world, ada, 1);
    const rows = await claimFor(world, endpoint, theirs);
    expect(rows.filter((row) => (row["line"] as Row)["kind"] === "reply")).toMatchObject([
      { endpoint: theirs, line: { chat_room_id: room } },
    ]);
  });

  test("is not sent by a restored copy while its e-mails are paused", async ({ world }) => {
    const { ada, endpoint } = await repliedTo(world);
    await world.run("owner", "select private.pause_emails('restored')");
    expect(await claimFor(world, endpoint)).toEqual([]);
    expect(await waiting(world, ada)).toHaveLength(1);
  });

  test("is made, claimed and recorded by nobody but the server", async ({ world }) => {
    const { ada } = await repliedTo(world);
    for (const actor of [ada, "anon"]) {
      await world.refused(actor, "42501", claimSql);
      await world.refused(
        actor,
        "42501",
        "select public.record_push_result(1, null, null, 'gone')",
      );
      await world.refused(actor, "42501", "select from private.push_outbox");
      await world.refused(actor, "42501", "select private.claim_pushes(1, '1 minute')");
      await world.refused(actor, "42501", "select private.is_push_endpoint('x')");
    }
    await world.refused("service_role", "42501", "select from private.push_outbox");
  });
});
