import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { deleteMessageSql, editMessageSql, insertMessage, openRoom, raise } from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const markSql = "select public.mark_notifications_read(now() + interval '1 hour', $1)";
const storedSql =
  "select from public.notifications n where n.kind = 'announcement' and n.user_id = $1";

async function bell(world: World, member: string) {
  const { bell: found } = await world.one(member, "select public.my_notifications() as bell");
  const { items, unread } = found as { items: Row[]; unread: number };
  return { unread, items: items.filter(({ kind }) => kind !== "level_up") };
}

/** Sends a message as an administrator. @returns its id. */
async function announce(
  world: World,
  admin: string,
  content = "Hello @everyone!",
  extra: Row = {},
) {
  return (await insertMessage(world, admin, content, extra))["id"];
}

const announcementsOf = async (world: World, message: unknown) =>
  await world.count("owner", "select from private.room_announcements where message_id = $1", [
    message,
  ]);

describe("@everyone", () => {
  test("of an administrator tells each member once, without a row for any", async ({ world }) => {
    const [admin, ada, tom] = [await world.admin(), await world.member(), await world.member()];
    const id = await announce(world, admin);
    for (const member of [ada, tom]) {
      expect(await world.count("owner", storedSql, [member])).toBe(0);
      expect(await bell(world, member)).toMatchObject({
        unread: 1,
        items: [
          {
            kind: "announcement",
            message_id: id,
            chat_room_id: "general",
            excerpt: "Hello @everyone!",
            unread: true,
          },
        ],
      });
    }
    expect((await bell(world, admin)).items).toEqual([]);
    await world.run(ada, markSql, [null]);
    await world.run(ada, markSql, [null]);
    expect(await bell(world, ada)).toMatchObject({ unread: 0, items: [{ unread: false }] });
    expect(await world.count("owner", storedSql, [ada])).toBe(1);
    expect(await bell(world, tom)).toMatchObject({ unread: 1 });
    await world.run(admin, editMessageSql, [id, "Once more @everyone"]);
    expect(await bell(world, ada)).toMatchObject({ unread: 0, items: [{ message_id: id }] });
    await world.run(admin, deleteMessageSql, [id]);
    for (const member of [ada, tom]) expect((await bell(world, member)).items).toEqual([]);
  });

  test("reaches members who blocked its author before they were an administrator, and whom its author blocked", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const raised = [await world.member(), await world.member()];
    for (const id of raised) {
      await world.run(ada, "select public.block_member($1)", [id]);
      await world.run(id, "select public.block_member($1)", [tom]);
    }
    const [byOperator = "", byAdmin = ""] = raised;
    await world.run("owner", "select private.make_admin($1)", [byOperator]);
    await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [
      byAdmin,
    ]);
    await world.run(await world.freshAdmin(), "select public.set_member_admin($1, true, $2)", [
      byAdmin,
      "Looks after the rooms.",
    ]);
    for (const id of raised) {
      await world.addFactor(id);
      await announce(world, id);
    }
    expect(await bell(world, ada)).toMatchObject({
      items: [{ kind: "announcement" }, { kind: "announcement" }],
    });
    // Nor does their own block take a member out of everyone.
    expect(await bell(world, tom)).toMatchObject({
      items: [{ kind: "announcement" }, { kind: "announcement" }],
    });
    const blocks =
      "select user_id, blocked_id from private.member_blocks where $1 in (user_id, blocked_id)";
    for (const id of raised) {
      expect(await world.run("owner", blocks, [id])).toEqual([{ user_id: id, blocked_id: tom }]);
    }
  });

  test("is read by itself through its own line", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const first = await announce(world, admin, "@everyone one");
    await announce(world, admin, "@everyone two");
    const { items } = await bell(world, ada);
    const line = items.find(({ message_id }) => message_id === first);
    await world.run(ada, markSql, [line?.["id"]]);
    const { items: after, unread } = await bell(world, ada);
    expect(unread).toBe(1);
    expect(after.map(({ message_id, unread: isNew }) => isNew || message_id)).toEqual([
      true,
      first,
    ]);
    // The line of another member's bell has another number, or none.
    await world.run(ada, markSql, [-999_999_999]);
    expect((await bell(world, ada)).unread).toBe(1);
  });

  test("is seen by whom may read the room now, and by nobody who joined later", async ({
    world,
  }) => {
    const [admin, low, high] = [await world.admin(), await world.member(), await world.member()];
    await raise(world, high, 2);
    const id = await announce(world, admin, "@everyone", {
      chat_room_id: await openRoom(world, 2),
    });
    const seen = async (member: string) =>
      (await bell(world, member)).items.flatMap(({ message_id }) => message_id ?? []);
    expect(await seen(low)).toEqual([]);
    expect(await seen(high)).toEqual([id]);
    await raise(world, high, 1);
    expect(await seen(high)).toEqual([]);
    await world.run(high, markSql, [null]);
    await raise(world, high, 2);
    expect(await bell(world, high)).toMatchObject({ unread: 1 });
    await world.run(high, markSql, [null]);
    await raise(world, high, 1);
    expect(await seen(high)).toEqual([]);
    await raise(world, high, 2);
    await world.setSubscriptionStatus(high, "canceled");
    expect(await seen(high)).toEqual([]);
    const later = await world.member();
    await raise(world, later, 2);
    const joined = "update auth.users set created_at = now() + interval '1 minute' where id = $1";
    await world.run("owner", joined, [later]);
    expect(await seen(later)).toEqual([]);
    const old = "update private.room_announcements set created_at = now() - interval '31 days'";
    const other = await world.member();
    await raise(world, other, 2);
    expect(await seen(other)).toEqual([id]);
    await world.run("owner", "update auth.users set created_at = '2020-01-01' where id = $1", [
      other,
    ]);
    await world.run("owner", `${old} where message_id = $1`, [id]);
    expect(await seen(other)).toEqual([]);
  });

  test("is text from everyone else, without a second factor, and in a longer word", async ({
    world,
  }) => {
    const [admin, ada, mentor] = [await world.admin(), await world.member(), await world.member()];
    await world.run("owner", "update public.profiles set role = 'mentor' where id = $1", [mentor]);
    for (const sender of [ada, mentor]) {
      expect(await announcementsOf(world, await announce(world, sender))).toBe(0);
    }
    await expect(announce(world, await world.plainAdmin())).rejects.toThrow();
    for (const text of ["@everyoneelse", "mail@everyone", "@@everyone", "everyone", "@Everyone"]) {
      expect(await announcementsOf(world, await announce(world, admin, text))).toBe(0);
    }
    for (const text of ["@everyone", "(@everyone)", "Now,\n@everyone: go"]) {
      expect(await announcementsOf(world, await announce(world, admin, text))).toBe(1);
    }
    const forge = "insert into private.room_announcements (message_id) values ($1)";
    const { id } = await insertMessage(world, ada);
    await world.refused(ada, "42501", forge, [id]);
    await world.refused("service_role", "42501", forge, [id]);
    await world.refused("owner", "23503", forge, [randomUUID()]);
    const own = "insert into public.notifications (user_id, kind) values ($1, 'announcement')";
    await world.refused(ada, "42501", own, [ada]);
  });

  test("can be added by an edit, is limited, and stands in the audit log", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const { id } = await insertMessage(world, admin, "Hello");
    await world.run(admin, editMessageSql, [id, "Hello @everyone"]);
    expect(await bell(world, ada)).toMatchObject({ unread: 1, items: [{ message_id: id }] });
    expect(
      await world.run(
        "owner",
        "select detail from private.audit_log where actor = $1 and action = 'room.announced'",
        [admin],
      ),
    ).toEqual([{ detail: { chat_room_id: "general", message_id: id } }]);
    const limit = "update private.rate_limits set max_count = 1 where action = 'announce'";
    await world.run("owner", limit);
    const { id: plain } = await insertMessage(world, admin, "Plain");
    await world.refused(admin, "FF300", editMessageSql, [plain, "@everyone"]);
    await world.run(admin, editMessageSql, [id, "Hello again, @everyone"]);
  });

  test("is shown as such, and its broadcast holds no content", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const id = await announce(world, admin);
    const { id: plain } = await insertMessage(world, ada, "@everyone");
    const names = "select * from public.mentions_in($1)";
    expect(await world.run(ada, names, [[id, plain]])).toEqual([
      { subject_id: id, name: "everyone", user_id: null, is_you: true },
    ]);
    expect(await world.run(admin, names, [[id]])).toMatchObject([{ is_you: false }]);
    expect(await world.run(await world.newcomer(), names, [[id]])).toEqual([]);
    const sent = await world.run(
      "owner",
      "select payload - 'id' as payload from realtime.messages where topic = 'rooms' and event = 'announced'",
    );
    // Other files announce on the same channel.
    expect(sent).not.toEqual([]);
    for (const { payload } of sent) {
      expect(payload).toEqual({ spread_ms: expect.any(Number) as number });
    }
  });
});
