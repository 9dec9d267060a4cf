import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  insertMessage,
  likeSql,
  openRoom,
  raise,
  unlike,
  withoutHurry,
} from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

interface Bell {
  readonly unread: number;
  readonly items: readonly Row[];
}

const bellSql = "select public.my_notifications() as bell";
const markSql = "select public.mark_notifications_read(now() + interval '1 hour')";

async function bell(world: World, member: string): Promise<Bell> {
  return (await world.one(member, bellSql))["bell"] as Bell;
}

async function kinds(world: World, member: string): Promise<unknown[]> {
  return (await bell(world, member)).items.map(({ kind }) => kind);
}

async function share(world: World, member: string, title = "A pact kept"): Promise<string> {
  const id = randomUUID();
  await world.insert(member, "learning_submissions", {
    id,
    user_id: member,
    submission_type: "success",
    title,
    content: "Done.",
  });
  return id;
}

async function comment(world: World, member: string, submission: string): Promise<string> {
  const id = randomUUID();
  await world.insert(member, "learning_submission_comments", {
    id,
    user_id: member,
    submission_id: submission,
    content: "Well done",
  });
  return id;
}

/** How many rows name the member as their reader. */
async function stored(world: World, member: string): Promise<number> {
  return await world.count("owner", "select from public.notifications where user_id = $1", [
    member,
  ]);
}

/** Deletes what the member was told of levels, for tests about other kinds. */
async function forgetLevels(world: World, member: string): Promise<void> {
  const sql = "delete from public.notifications where user_id = $1 and kind = 'level_up'";
  await world.run("owner", sql, [member]);
}

const likeSubmission =
  "insert into public.learning_submission_likes (user_id, submission_id) values ($1, $2)";

describe("a member is told", () => {
  test("of a reply to their message, with its room and its beginning", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await insertMessage(world, bob, "Good question", { parent_message_id: id });
    const { unread, items } = await bell(world, ada);
    expect(unread).toBe(1);
    expect(items).toMatchObject([
      {
        kind: "reply",
        actor: "Ada Byron",
        others: 0,
        chat_room_id: "general",
        excerpt: "Good question",
        unread: true,
      },
    ]);
    expect(await bell(world, bob)).toMatchObject({ unread: 0, items: [] });
  });

  test("of several likes of a message once, with how many others", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada, "Look at this");
    for (let left = 4; left > 0; left -= 1) {
      const fan = await world.member();
      await world.run(fan, likeSql, [fan, id]);
    }
    const { unread, items } = await bell(world, ada);
    expect(unread).toBe(1);
    expect(items).toMatchObject([{ kind: "message_like", others: 3, excerpt: "Look at this" }]);
  });

  test("of likes of and comments on their submission", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const submission = await share(world, ada, "My first client");
    await world.run(bob, likeSubmission, [bob, submission]);
    await comment(world, bob, submission);
    await comment(world, bob, submission);
    const { items } = await bell(world, ada);
    expect(items).toMatchObject([
      { kind: "submission_comment", submission_id: submission, excerpt: "My first client" },
      { kind: "submission_like", submission_id: submission, others: 0 },
    ]);
  });

  test("of a new level, an identity decision and a failed payment", async ({ world }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    const { id } = await world.handIn(ada);
    const decide =
      "update public.user_verifications set status = $2, rejected_reason = $3 where id = $1";
    await world.run("owner", decide, [id, "rejected", "Blurred"]);
    expect(await kinds(world, ada)).toEqual(["identity_rejected"]);
    const bob = await world.member();
    await raise(world, bob, 2);
    await world.setSubscriptionStatus(bob, "past_due");
    expect((await bell(world, bob)).items).toMatchObject([
      { kind: "payment_failed", detail: null },
      { kind: "level_up", detail: "2" },
    ]);
    await world.setSubscriptionStatus(bob, "active");
    await raise(world, bob, 1);
    expect(await kinds(world, bob)).toEqual(["level_up"]);
    expect(await kinds(world, admin)).toEqual([]);
  });

  test("never of their own acts", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada);
    await insertMessage(world, ada, "And also", { parent_message_id: id });
    await world.run(ada, likeSql, [ada, id]);
    const submission = await share(world, ada);
    await world.run(ada, likeSubmission, [ada, submission]);
    await comment(world, ada, submission);
    expect(await bell(world, ada)).toMatchObject({ unread: 0, items: [] });
    expect(await stored(world, ada)).toBe(0);
  });
});

describe("a notification", () => {
  test("is made once, however often a like is taken back and given again", async ({ world }) => {
    await withoutHurry(world);
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    // Another like that stands, of something else.
    await world.run(ada, likeSql, [ada, (await insertMessage(world, bob))["id"]]);
    for (let left = 5; left > 0; left -= 1) {
      await world.run(bob, likeSql, [bob, id]);
      expect(await kinds(world, ada)).toEqual(["message_like"]);
      await world.run(bob, unlike, [bob, id]);
      expect(await bell(world, ada)).toMatchObject({ unread: 0, items: [] });
    }
    expect(await stored(world, ada)).toBe(1);
  });

  test("hides while its reader may not read the place, and when its content is deleted", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const each of [ada, bob]) await raise(world, each, 3);
    await forgetLevels(world, ada);
    const room = await openRoom(world, 3);
    const { id } = await insertMessage(world, ada, "Up here", { chat_room_id: room });
    const reply = await insertMessage(world, bob, "Hello", {
      chat_room_id: room,
      parent_message_id: id,
    });
    const submission = await share(world, ada);
    const said = await comment(world, bob, submission);
    await comment(world, bob, await share(world, bob));
    expect(await kinds(world, ada)).toEqual(["submission_comment", "reply"]);
    await raise(world, ada, 2);
    expect(await kinds(world, ada)).toEqual(["submission_comment"]);
    await raise(world, ada, 3);
    await forgetLevels(world, ada);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await bell(world, ada)).toMatchObject({ unread: 1 });
    expect(await kinds(world, ada)).toEqual(["membership_ended"]);
    await world.setSubscriptionStatus(ada, "active");
    expect(await kinds(world, ada)).toEqual(["submission_comment", "reply"]);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
      room,
    ]);
    expect(await kinds(world, ada)).toEqual(["submission_comment"]);
    await world.run("owner", "update public.chat_rooms set is_active = true where id = $1", [room]);
    await world.run(bob, deleteMessageSql, [reply["id"]]);
    await world.run(bob, "select public.delete_comment($1)", [said]);
    expect(await bell(world, ada)).toMatchObject({ unread: 0, items: [] });
  });

  test("is listed in pages, newest first", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    for (const title of ["One", "Two", "Three"]) {
      await world.run(bob, likeSubmission, [bob, await share(world, ada, title)]);
      const apart =
        "update public.notifications set created_at = created_at - interval '1 minute' where user_id = $1";
      await world.run("owner", apart, [ada]);
    }
    const page = "select public.my_notifications($1, 2) as bell";
    const first = (await world.one(ada, page, [null]))["bell"] as Bell;
    expect(first.items.map(({ excerpt }) => excerpt)).toEqual(["Three", "Two"]);
    const next = (await world.one(ada, page, [first.items[1]?.["created_at"]]))["bell"] as Bell;
    expect(next.items.map(({ excerpt }) => excerpt)).toEqual(["One"]);
    expect([first.unread, next.unread]).toEqual([3, 3]);
  });

  test("is marked as read by its reader only, all or those shown as one", async ({ world }) => {
    const [ada, bob, mallory] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const fan of [bob, mallory]) await world.run(fan, likeSql, [fan, id]);
    await world.run(bob, likeSubmission, [bob, await share(world, ada)]);
    const { items } = await bell(world, ada);
    const one = "select public.mark_notifications_read(now() + interval '1 hour', $1)";
    await world.run(mallory, markSql);
    await world.run(mallory, one, [items[0]?.["id"]]);
    expect((await bell(world, ada)).unread).toBe(2);
    await world.run(ada, one, [items[1]?.["id"]]);
    expect((await bell(world, ada)).items.map(({ unread }) => unread)).toEqual([true, false]);
    await world.run(ada, "select public.mark_notifications_read($1)", [items[1]?.["created_at"]]);
    expect((await bell(world, ada)).unread).toBe(1);
    await world.run(ada, markSql);
    expect((await bell(world, ada)).unread).toBe(0);
  });

  test("is deleted with either account, and when it is old", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const fan of [bob, cleo]) await world.run(fan, likeSql, [fan, id]);
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect((await bell(world, ada)).items).toMatchObject([{ others: 0 }]);
    const left = async (values: string) => {
      await world.run("owner", `update public.notifications set ${values} where user_id = $1`, [
        ada,
      ]);
      await world.run("service_role", "select public.purge_notifications()");
      return await stored(world, ada);
    };
    expect(await left("read_at = now() - interval '89 days'")).toBe(1);
    expect(await left("read_at = null, created_at = now() - interval '364 days'")).toBe(1);
    expect(
      await left("read_at = now() - interval '89 days', created_at = now() - interval '400 days'"),
    ).toBe(1);
    expect(await left("read_at = now() - interval '91 days'")).toBe(0);
    await world.run(ada, unlike, [ada, id]);
    await world.run(cleo, unlike, [cleo, id]);
    await world.run(cleo, likeSql, [cleo, id]);
    expect(await left("read_at = null, created_at = now() - interval '366 days'")).toBe(0);
  });

  test("cannot be forged, changed or read past its own reader", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(mallory, likeSql, [mallory, id]);
    for (const actor of [mallory, ada, "anon"]) {
      const insert = "insert into public.notifications (user_id, kind) values ($1, 'level_up')";
      await world.refused(actor, "42501", insert, [ada]);
      await world.refused(actor, "42501", "update public.notifications set read_at = now()");
      await world.refused(actor, "42501", "delete from public.notifications");
      await world.refused(actor, "42501", "select actor_id from public.notifications");
      await world.refused(actor, "42501", "select private.visible_notifications($1)", [ada]);
      await world.refused(actor, "42501", "select public.purge_notifications()");
    }
    const rows = "select user_id, created_at, read_at from public.notifications";
    expect(await world.run(mallory, rows)).toEqual([]);
    expect(await world.run(ada, rows)).toHaveLength(1);
    await world.refused("anon", "42501", bellSql);
    await world.refused("anon", "42501", markSql);
  });
});
