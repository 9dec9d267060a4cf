import { describe, expect } from "vitest";
import { insertMessage, openRoom, raise } from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const chooseSql = `insert into public.notification_preferences (user_id, kind, bell) values ($1, $2, $3)
  on conflict (user_id, kind) do update set user_id = excluded.user_id, kind = excluded.kind, bell = excluded.bell`;

async function bell(world: World, member: string) {
  const { bell: page } = await world.one(member, "select public.my_notifications() as bell");
  return page as { unread: number; items: Row[] };
}

async function kinds(world: World, member: string): Promise<unknown[]> {
  return (await bell(world, member)).items.map(({ kind }) => kind);
}

/** A member who was told of a reply and of a level. */
async function repliedTo(world: World): Promise<string> {
  const [ada, tom] = [await world.member(), await world.member()];
  const { id } = await insertMessage(world, ada);
  await insertMessage(world, tom, "Yes", { parent_message_id: id });
  await raise(world, ada, 2);
  return ada;
}

describe("a topic turned off", () => {
  test("is neither shown nor counted, and comes back as it was", async ({ world }) => {
    const ada = await repliedTo(world);
    expect(await kinds(world, ada)).toEqual(["level_up", "reply"]);
    await world.run(ada, chooseSql, [ada, "rooms", false]);
    expect(await bell(world, ada)).toMatchObject({ unread: 1, items: [{ kind: "level_up" }] });
    await world.run(ada, chooseSql, [ada, "rooms", true]);
    expect(await bell(world, ada)).toMatchObject({ unread: 2 });
    await world.run(ada, chooseSql, [ada, "progress", false]);
    expect(await kinds(world, ada)).toEqual(["reply"]);
  });

  test("is off for its member alone", async ({ world }) => {
    const [ada, tom] = [await repliedTo(world), await repliedTo(world)];
    await world.run(ada, chooseSql, [ada, "rooms", false]);
    expect(await kinds(world, tom)).toEqual(["level_up", "reply"]);
  });

  test("no longer waits on Today", async ({ world }) => {
    const ada = await repliedTo(world);
    const waiting = async () => {
      const { today } = await world.one(ada, "select public.my_today() as today");
      return (today as { waiting: unknown }).waiting;
    };
    expect(await waiting()).toMatchObject({ count: 1 });
    await world.run(ada, chooseSql, [ada, "rooms", false]);
    expect(await waiting()).toMatchObject({ count: 0, items: [] });
  });

  test("cannot be the account", async ({ world }) => {
    const ada = await world.member();
    await world.refused(ada, "23514", chooseSql, [ada, "account", false]);
    const email =
      "insert into public.notification_preferences (user_id, kind, email) values ($1, 'account', false)";
    await world.refused(ada, "23514", email, [ada]);
    await world.run(ada, chooseSql, [ada, "account", true]);
    for (const kind of ["tips", "reminders"]) {
      await world.refused(ada, "23514", chooseSql, [ada, kind, false]);
    }
  });

  test("has to be one of the topics there are", async ({ world }) => {
    const topics = await world.run(
      "owner",
      `select pg_get_constraintdef(oid) as rule from pg_constraint where conname = 'notification_kinds_topic_check'`,
    );
    const names = [...String(topics[0]?.["rule"]).matchAll(/'(\w+)'/g)].map(([, name]) => name);
    const ada = await world.member();
    for (const topic of names) await world.run(ada, chooseSql, [ada, topic, true]);
    expect(names).toContain("rooms");
    await world.refused(ada, "23514", chooseSql, [ada, "money", true]);
  });
});

describe("how often the digest comes", () => {
  const save = `insert into public.digest_choices (user_id, frequency) values ($1, $2)
    on conflict (user_id) do update set user_id = excluded.user_id, frequency = excluded.frequency`;
  const read = "select frequency from public.digest_choices";

  test("is its member's to choose", async ({ world }) => {
    const ada = await world.newcomer();
    await world.run(ada, save, [ada, "daily"]);
    await world.run(ada, save, [ada, "off"]);
    expect(await world.run(ada, read)).toEqual([{ frequency: "off" }]);
    await world.refused(ada, "23514", save, [ada, "hourly"]);
  });

  test("is nobody else's to read, write, take over or delete", async ({ world }) => {
    const [ada, mallory] = [await world.newcomer(), await world.member()];
    await world.run(ada, save, [ada, "daily"]);
    for (const actor of [mallory, await world.admin()]) {
      expect(await world.run(actor, read)).toEqual([]);
      await world.refused(actor, "42501", save, [ada, "off"]);
      const change = "update public.digest_choices set frequency = 'off'";
      expect(await world.count(actor, change)).toBe(0);
      expect(await world.count(actor, `${change} where user_id = $1`, [ada])).toBe(0);
      await world.refused(actor, "42501", "delete from public.digest_choices");
    }
    // Also for an account that has not chosen yet.
    const bob = await world.newcomer();
    const insert = "insert into public.digest_choices (user_id, frequency) values ($1, 'off')";
    await world.refused(mallory, "42501", insert, [bob]);
    await world.run(mallory, save, [mallory, "weekly"]);
    const give = "update public.digest_choices set user_id = $1";
    await world.refused(mallory, "42501", give, [bob]);
    await world.refused(mallory, "42501", `${give} where user_id = $2`, [bob, mallory]);
    await world.refused("anon", "42501", read);
    const backdate = "update public.digest_choices set updated_at = now()";
    await world.refused(ada, "42501", backdate);
    expect(await world.run(ada, read)).toEqual([{ frequency: "daily" }]);
  });

  test("says when it was chosen last", async ({ world }) => {
    const ada = await world.newcomer();
    await world.run(ada, save, [ada, "daily"]);
    await world.run("owner", "update public.digest_choices set updated_at = '2000-01-01'");
    await world.run(ada, save, [ada, "off"]);
    const stamp =
      "select updated_at = now() as is_now from public.digest_choices where user_id = $1";
    expect(await world.run("owner", stamp, [ada])).toEqual([{ is_now: true }]);
  });
});

test("what a digest or push may say is for the server alone", async ({ world }) => {
  const ada = await repliedTo(world);
  for (const sql of [
    "select private.visible_notifications($1)",
    "select private.readable_notifications($1)",
    "select private.unsent_notifications($1, 'push')",
    "select private.notification_line('reply', 'rooms', null, $1, 0, '{}')",
    "select private.export_part_notification_choices($1)",
    "select private.export_part_push($1)",
    "select private.digest_content(o) from private.email_outbox o where o.user_id = $1",
  ]) {
    await world.refused(ada, "42501", sql, [ada]);
  }
});

describe("what leaves the product", () => {
  const tellSql = "select kind, topic, place from private.unsent_notifications($1, $2)";
  const told = async (world: World, member: string, channel: string) =>
    (await world.run("owner", tellSql, [member, channel]))
      .map(({ kind }) => String(kind))
      .toSorted();

  test("follows the choice of its channel alone", async ({ world }) => {
    const ada = await repliedTo(world);
    const off = (column: string) =>
      `insert into public.notification_preferences (user_id, kind, ${column}) values ($1, 'rooms', false)
       on conflict (user_id, kind) do update set ${column} = false`;
    expect(await told(world, ada, "push")).toEqual(["level_up", "reply"]);
    await world.run(ada, off("bell"), [ada]);
    expect(await told(world, ada, "push")).toEqual(["level_up", "reply"]);
    expect(await told(world, ada, "email")).toEqual(["level_up", "reply"]);
    await world.run(ada, off("push"), [ada]);
    expect(await told(world, ada, "push")).toEqual(["level_up"]);
    expect(await told(world, ada, "email")).toEqual(["level_up", "reply"]);
    await world.run(ada, off("email"), [ada]);
    expect(await told(world, ada, "email")).toEqual(["level_up"]);
    expect(await told(world, ada, "letter")).toEqual([]);
  });

  test("is not what was read, nor what may no longer be read", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    await raise(world, ada, 2);
    await raise(world, tom, 2);
    const said = { chat_room_id: await openRoom(world, 2) };
    const { id } = await insertMessage(world, ada, "Hello", said);
    await insertMessage(world, tom, "Yes", { ...said, parent_message_id: id });
    expect(await told(world, ada, "push")).toEqual(["level_up", "reply"]);
    await raise(world, ada, 1);
    expect(await told(world, ada, "push")).toEqual(["level_up"]);
    await world.run(ada, "select public.mark_notifications_read(now() + interval '1 hour')");
    await raise(world, ada, 2);
    expect(await told(world, ada, "push")).toEqual([]);
  });

  test("says nothing of the account by e-mail, which has e-mails of its own", async ({ world }) => {
    const ada = await world.member();
    const told_of = "insert into public.notifications (user_id, kind, detail) values ($1, $2, 'x')";
    await world.run("owner", told_of, [ada, "identity_approved"]);
    expect(await told(world, ada, "email")).toEqual([]);
    expect(await told(world, ada, "push")).toEqual(["identity_approved"]);
  });

  test.for(["lapsed", "suspended"])("is nothing for a %s member", async (how, { world }) => {
    const ada = await repliedTo(world);
    if (how === "lapsed") await world.setSubscriptionStatus(ada, "canceled");
    const ban = "update auth.users set banned_until = now() + interval '1 day' where id = $1";
    if (how === "suspended") await world.run("owner", ban, [ada]);
    expect(await told(world, ada, "push")).toEqual([]);
    expect(await told(world, ada, "email")).toEqual([]);
  });

  test("is nothing of a member who is suspended now, or was blocked since", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await insertMessage(world, tom, "Yes", { parent_message_id: id });
    const ban = "update auth.users set banned_until = now() + $2::interval where id = $1";
    await world.run("owner", ban, [tom, "1 day"]);
    expect(await told(world, ada, "push")).toEqual([]);
    await world.run("owner", ban, [tom, "-1 day"]);
    expect(await told(world, ada, "push")).toEqual(["reply"]);
    await world.run(ada, "select public.block_member($1)", [tom]);
    expect(await told(world, ada, "push")).toEqual([]);
  });
});
