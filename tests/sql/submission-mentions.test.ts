import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { editMessageSql, insertMessage, openRoom, raise } from "./chat-world.ts";
import { namedMember, newMark } from "./people-world.ts";
import { progressOfMembers } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const inSubmission = "select public.mention_in_submission($1, $2)";
const inComment = "select public.mention_in_comment($1, $2)";
const inMessage = "select public.mention_members($1, $2)";
const namesSql = "select * from public.mentions_in($1) order by name, user_id";
const editSql = "select public.edit_submission($1, 'A lesson', $2)";

async function bell(world: World, member: string): Promise<Row[]> {
  const { bell: found } = await world.one(member, "select public.my_notifications() as bell");
  return (found as { items: Row[] }).items.filter(({ kind }) => kind !== "level_up");
}

async function share(world: World, user_id: string, content: string): Promise<string> {
  const row = { user_id, submission_type: "failure", title: "A lesson", content };
  return String((await world.insert(user_id, "learning_submissions", row))["id"]);
}

async function comment(world: World, user_id: string, submission_id: string, content: string) {
  const row = { user_id, submission_id, content };
  return String((await world.insert(user_id, "learning_submission_comments", row))["id"]);
}

/** A member of a last name that nobody else has. */
async function someone(world: World, first = "Tom") {
  const last = newMark();
  const name = `${first} ${last}`;
  return { id: await namedMember(world, first, last, "Baker"), last, name, at: `@${name}` };
}

describe("a mention in the feed", () => {
  test("tells the member once, in a submission and in a comment", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const id = await share(world, ada, `Thanks to ${tom.at}`);
    await world.run(ada, inSubmission, [id, [tom.id]]);
    await world.run(ada, inSubmission, [id, [tom.id, tom.id]]);
    expect(await bell(world, tom.id)).toMatchObject([
      { kind: "submission_mention", submission_id: id, comment_id: null, excerpt: "A lesson" },
    ]);
    const said = await comment(world, ada, id, `And ${tom.at} again`);
    await world.run(ada, inComment, [said, [tom.id]]);
    expect(await bell(world, tom.id)).toMatchObject([
      { submission_id: id, comment_id: said, excerpt: `And ${tom.at} again`, unread: true },
    ]);
    await world.run(ada, "select public.delete_comment($1)", [said]);
    expect(await bell(world, tom.id)).toMatchObject([{ comment_id: null }]);
    await world.run(ada, "select public.delete_submission($1)", [id]);
    expect(await bell(world, tom.id)).toEqual([]);
  });

  test("is not told again when the notification is gone or the name returns", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const id = await share(world, ada, tom.at);
    await world.run(ada, inSubmission, [id, [tom.id]]);
    await world.run("owner", "delete from public.notifications where user_id = $1", [tom.id]);
    await world.run(ada, editSql, [id, "Nobody"]);
    await world.run(ada, editSql, [id, `${tom.at} after all`]);
    await world.run(ada, inSubmission, [id, [tom.id]]);
    expect(await bell(world, tom.id)).toEqual([]);
  });

  test("added by an edit tells the new member only", async ({ world }) => {
    const [ada, tom, eve] = [await world.member(), await someone(world), await someone(world)];
    const id = await share(world, ada, tom.at);
    await world.run(ada, inSubmission, [id, [tom.id, eve.id]]);
    expect(await bell(world, eve.id)).toEqual([]);
    await world.run(tom.id, "select public.mark_notifications_read(now() + interval '1 hour')");
    await world.run(ada, editSql, [id, `${tom.at} ${eve.at}`]);
    await world.run(ada, inSubmission, [id, [tom.id, eve.id]]);
    expect(await bell(world, eve.id)).toMatchObject([{ kind: "submission_mention" }]);
    expect(await bell(world, tom.id)).toMatchObject([{ unread: false }]);
  });

  test("of the author of the submission is the comment's notification", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const id = await share(world, tom.id, "Mine");
    const said = await comment(world, ada, id, `Well done ${tom.at}`);
    await world.run(ada, inComment, [said, [tom.id]]);
    expect((await bell(world, tom.id)).map(({ kind }) => kind)).toEqual(["submission_comment"]);
    expect(await world.run(ada, namesSql, [[said]])).toMatchObject([{ user_id: tom.id }]);
  });

  test("reaches no lapsed, suspended, unlisted or blocked member, and a lapse hides it", async ({
    world,
  }) => {
    const [ada, told] = [await someone(world, "Ada"), await someone(world)];
    const others = [];
    for (let left = 4; left > 0; left -= 1) others.push(await someone(world));
    const [lapsed, suspended, unlisted, blocking] = others.map((each) => each.id);
    await world.setSubscriptionStatus(String(lapsed), "canceled");
    const ban = "update auth.users set banned_until = now() + interval '1 day' where id = $1";
    await world.run("owner", ban, [suspended]);
    await world.run(String(unlisted), "select public.set_profile_choices('{}', false, true)");
    await world.run(String(blocking), "select public.block_member($1)", [ada.id]);
    const all = [told, ada, ...others];
    const id = await share(world, ada.id, all.map(({ at }) => at).join(" "));
    await world.run(ada.id, inSubmission, [id, all.map((each) => each.id)]);
    const stored = "select user_id from public.notifications where kind = 'submission_mention'";
    expect(await world.run("owner", `${stored} and subject_id = $1`, [id])).toEqual([
      { user_id: told.id },
    ]);
    const offer = "select name from public.mentionable_members(typed => $1)";
    for (const { last } of [ada, ...others]) {
      expect(await world.run(ada.id, offer, [last])).toEqual([]);
    }
    expect(await world.run(ada.id, offer, [told.last])).toEqual([{ name: told.name }]);
    await world.setSubscriptionStatus(told.id, "canceled");
    expect(await bell(world, told.id)).toMatchObject([{ kind: "membership_ended" }]);
    await world.refused(told.id, "FF700", offer, [told.last]);
  });

  test("cannot be forged, nor made by who is no member now", async ({ world }) => {
    const [ada, mallory, tom] = [await world.member(), await world.member(), await someone(world)];
    const id = await share(world, ada, tom.at);
    const said = await comment(world, ada, id, tom.at);
    await world.refused(mallory, "FF332", inSubmission, [id, [tom.id]]);
    await world.refused(mallory, "FF333", inComment, [said, [tom.id]]);
    await world.refused(ada, "FF332", inSubmission, [randomUUID(), [tom.id]]);
    await world.refused(ada, "FF333", inComment, [null, [tom.id]]);
    for (const [sql, subject] of [
      [inSubmission, id],
      [inComment, said],
    ] as const) {
      await world.refused("anon", "42501", sql, [subject, [tom.id]]);
    }
    await world.refused(ada, "42501", "insert into private.mentions (user_id) values ($1)", [ada]);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF761", inSubmission, [id, [tom.id]]);
    await world.refused(ada, "FF761", inComment, [said, [tom.id]]);
    expect(await bell(world, tom.id)).toEqual([]);
  });

  test("is no engagement: neither side moves", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const submission = await share(world, ada, `Ask ${tom.at}`);
    const said = await comment(world, ada, submission, `And ${tom.at}`);
    const before = await progressOfMembers(world, [ada, tom.id]);
    await world.run(ada, inSubmission, [submission, [tom.id]]);
    await world.run(ada, inComment, [said, [tom.id]]);
    expect(await bell(world, tom.id)).toMatchObject([{ comment_id: said }]);
    expect(await progressOfMembers(world, [ada, tom.id])).toEqual(before);
  });

  test("tells ten members at most, also in two calls", async ({ world }) => {
    const ada = await world.member();
    const crowd = [];
    for (let left = 11; left > 0; left -= 1) crowd.push(await someone(world));
    const id = await share(world, ada, crowd.map(({ at }) => at).join(" "));
    const ids = crowd.map((each) => each.id);
    await world.run(ada, inSubmission, [id, ids.slice(0, 6)]);
    await world.run(ada, inSubmission, [id, ids]);
    const stored = "select from public.notifications where subject_id = $1";
    expect(await world.count("owner", stored, [id])).toBe(10);
  });
});

describe("the names in a text", () => {
  test("lead to whom they mean, for readers of the place only", async ({ world }) => {
    const [ada, tom, low] = [await world.member(), await someone(world), await world.member()];
    await raise(world, ada, 2);
    await raise(world, tom.id, 2);
    const said = { chat_room_id: await openRoom(world, 2) };
    const message = String((await insertMessage(world, ada, tom.at, said))["id"]);
    await world.run(ada, inMessage, [message, [tom.id]]);
    const id = await share(world, ada, tom.at);
    await world.run(ada, inSubmission, [id, [tom.id]]);
    const named = { name: tom.name, user_id: tom.id };
    expect(await world.run(ada, namesSql, [[message]])).toEqual([
      { subject_id: message, ...named, is_you: false },
    ]);
    expect(await world.run(tom.id, namesSql, [[message]])).toMatchObject([{ is_you: true }]);
    expect(await world.run(low, namesSql, [[message, id]])).toMatchObject([{ subject_id: id }]);
    expect(await world.run(await world.newcomer(), namesSql, [[message, id]])).toEqual([]);
    await world.refused("anon", "42501", namesSql, [[id]]);
    await world.run("owner", "update public.profiles set last_name = 'New' where id = $1", [
      tom.id,
    ]);
    expect(await world.run(ada, namesSql, [[id]])).toMatchObject([named]);
    await world.run(ada, "select public.delete_message($1)", [message]);
    expect(await world.run(ada, namesSql, [[message]])).toEqual([]);
  });

  test("lead nowhere when two members have it, or there is no profile to show", async ({
    world,
  }) => {
    const [ada, eve, last] = [await world.member(), await world.member(), newMark()];
    const twins = [
      await namedMember(world, "Tom", last, "Baker"),
      await namedMember(world, "Tom", last, "Smith"),
    ];
    const { id } = await insertMessage(world, ada, `@Tom ${last}`);
    await world.run(ada, inMessage, [id, twins]);
    const name = `Tom ${last}`;
    expect(await world.run(eve, namesSql, [[id]])).toEqual([
      { subject_id: id, name, user_id: null, is_you: false },
    ]);
    expect(await world.run(twins[0] ?? "", namesSql, [[id]])).toMatchObject([
      { user_id: null, is_you: true },
    ]);
    const tom = await someone(world);
    await world.run(ada, editMessageSql, [id, `@Tom ${last} ${tom.at}`]);
    await world.run(ada, inMessage, [id, [tom.id]]);
    const shown = async () =>
      (await world.run(eve, namesSql, [[id]])).find((row) => row["name"] === tom.name)?.["user_id"];
    expect(await shown()).toBe(tom.id);
    await world.run(tom.id, "select public.block_member($1)", [eve]);
    expect(await shown()).toBeNull();
    await world.run(tom.id, "select public.unblock_member($1)", [eve]);
    await world.setSubscriptionStatus(tom.id, "canceled");
    expect(await shown()).toBeNull();
  });

  test("are kept once a member and text, in one shape, and go with either", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const id = await share(world, ada, tom.at);
    await world.run(ada, inSubmission, [id, [tom.id]]);
    const insert = `insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
      values ($1, $2, $3, $4, 'Tom')`;
    await world.refused("owner", "23505", insert, [null, id, null, tom.id]);
    await world.refused("owner", "23514", insert, [null, null, null, tom.id]);
    const { id: message } = await insertMessage(world, ada, "Hi");
    await world.refused("owner", "23514", insert, [message, id, null, ada]);
    // Names come before the row they belong to, so the key is checked at the end of a transaction.
    await world.run("owner", "set constraints all immediate");
    await world.refused("owner", "23503", insert, [null, randomUUID(), null, tom.id]);
    const exported = "select public.export_my_data() -> 'mentions' as mentions";
    expect((await world.one(tom.id, exported))["mentions"]).toMatchObject([
      { submission_id: id, name: tom.name },
    ]);
    expect((await world.one(ada, exported))["mentions"]).toEqual([]);
    const left = "select from private.mentions where submission_id = $1";
    await world.run("owner", "delete from auth.users where id = $1", [tom.id]);
    expect(await world.count("owner", left, [id])).toBe(0);
  });
});
