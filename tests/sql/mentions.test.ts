import { describe, expect } from "vitest";
import { editMessageSql, insertMessage, deleteMessageSql, openRoom, raise } from "./chat-world.ts";
import { namedMember, newMark } from "./people-world.ts";
import { progressOfMembers } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const mentionSql = "select public.mention_members($1, $2)";
const offerSql = "select user_id, name from public.mentionable_members($1, $2)";

async function kinds(world: World, member: string): Promise<unknown[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: Row[] }).items
    .map(({ kind }) => kind)
    .filter((kind) => kind !== "level_up");
}

/** A member of a last name that nobody else has. */
async function someone(world: World, first = "Tom") {
  const last = newMark();
  return { id: await namedMember(world, first, last, "Baker"), last, at: `@${first} ${last}` };
}

describe("a mention", () => {
  test("tells the member once, with the room and the beginning of the message", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const { id } = await insertMessage(world, ada, `Ask ${tom.at}`);
    await world.run(ada, mentionSql, [id, [tom.id]]);
    await world.run(ada, mentionSql, [id, [tom.id, tom.id]]);
    const { bell } = await world.one(tom.id, "select public.my_notifications() as bell");
    expect(bell).toMatchObject({
      unread: 1,
      items: [
        { kind: "mention", message_id: id, chat_room_id: "general", excerpt: `Ask ${tom.at}` },
      ],
    });
    await world.run(ada, deleteMessageSql, [id]);
    expect(await kinds(world, tom.id)).toEqual([]);
    await world.refused(ada, "FF316", mentionSql, [id, [tom.id]]);
  });

  test("added by an edit tells the new member only", async ({ world }) => {
    const [ada, tom, eve] = [await world.member(), await someone(world), await someone(world)];
    const { id } = await insertMessage(world, ada, `Ask ${tom.at}`);
    await world.run(ada, mentionSql, [id, [tom.id, eve.id]]);
    expect(await kinds(world, eve.id)).toEqual([]);
    await world.run(tom.id, "select public.mark_notifications_read(now() + interval '1 hour')");
    await world.run(ada, editMessageSql, [id, `Ask ${tom.at} and ${eve.at}`]);
    await world.run(ada, mentionSql, [id, [tom.id, eve.id]]);
    expect(await kinds(world, eve.id)).toEqual(["mention"]);
    const { bell } = await world.one(tom.id, "select public.my_notifications() as bell");
    expect(bell).toMatchObject({ unread: 0 });
  });

  test("reaches nobody who may not read the room, and a demotion hides it", async ({ world }) => {
    const [ada, low, tom] = [await world.member(), await someone(world), await someone(world)];
    await raise(world, ada, 2);
    await raise(world, tom.id, 2);
    const room = await openRoom(world, 2);
    const said = { chat_room_id: room };
    const { id } = await insertMessage(world, ada, `${low.at} ${tom.at}`, said);
    await world.run(ada, mentionSql, [id, [low.id, tom.id]]);
    expect(await kinds(world, tom.id)).toEqual(["mention"]);
    expect(await world.run(ada, offerSql, [room, low.last])).toEqual([]);
    expect(await world.run(low.id, offerSql, [room, tom.last])).toEqual([]);
    expect(await world.run(ada, offerSql, [room, tom.last])).toMatchObject([{ user_id: tom.id }]);
    await raise(world, low.id, 2);
    expect(await kinds(world, low.id)).toEqual([]);
    await raise(world, tom.id, 1);
    expect(await kinds(world, tom.id)).toEqual([]);
  });

  test("tells no lapsed, suspended, unlisted or blocked member, nor oneself", async ({ world }) => {
    const ada = await someone(world, "Ada");
    const others = [];
    for (let left = 5; left > 0; left -= 1) others.push(await someone(world));
    const [lapsed, suspended, unlisted, blocked, blocking] = others;
    if (!lapsed || !suspended || !unlisted || !blocked || !blocking) throw new Error("missing");
    await world.setSubscriptionStatus(lapsed.id, "canceled");
    const ban = "update auth.users set banned_until = now() + interval '1 day' where id = $1";
    await world.run("owner", ban, [suspended.id]);
    await world.run(unlisted.id, "select public.set_profile_choices('{}', false, true)");
    await world.run(ada.id, "select public.block_member($1)", [blocked.id]);
    await world.run(blocking.id, "select public.block_member($1)", [ada.id]);
    const all = [...others, ada];
    const { id } = await insertMessage(world, ada.id, all.map(({ at }) => at).join(" "));
    await world.run(ada.id, mentionSql, [id, all.map((each) => each.id)]);
    const stored = "select from public.notifications where kind = 'mention' and subject_id = $1";
    expect(await world.count("owner", stored, [id])).toBe(0);
    for (const { last } of all) {
      expect(await world.run(ada.id, offerSql, ["general", last])).toEqual([]);
    }
  });

  test("of the author replied to is the reply's notification", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const { id } = await insertMessage(world, tom.id);
    const reply = await insertMessage(world, ada, `Yes ${tom.at}`, { parent_message_id: id });
    await world.run(ada, mentionSql, [reply["id"], [tom.id]]);
    expect(await kinds(world, tom.id)).toEqual(["reply"]);
  });

  test("is no engagement: neither side moves", async ({ world }) => {
    const [ada, tom] = [await world.member(), await someone(world)];
    const { id } = await insertMessage(world, ada, `Ask ${tom.at}`);
    const before = await progressOfMembers(world, [ada, tom.id]);
    await world.run(ada, mentionSql, [id, [tom.id]]);
    expect(await kinds(world, tom.id)).toEqual(["mention"]);
    expect(await progressOfMembers(world, [ada, tom.id])).toEqual(before);
  });

  test("tells ten members at most, also in two calls", async ({ world }) => {
    const ada = await world.member();
    const crowd = [];
    for (let left = 11; left > 0; left -= 1) crowd.push(await someone(world));
    const { id } = await insertMessage(world, ada, crowd.map(({ at }) => at).join(" "));
    const ids = crowd.map((each) => each.id);
    await world.run(ada, mentionSql, [id, ids.slice(0, 6)]);
    await world.run(ada, mentionSql, [id, ids]);
    const stored = "select from public.notifications where kind = 'mention' and subject_id = $1";
    expect(await world.count("owner", stored, [id])).toBe(10);
  });

  test("cannot be forged", async ({ world }) => {
    const [ada, mallory, tom] = [await world.member(), await world.member(), await someone(world)];
    const { id } = await insertMessage(world, ada, `Ask ${tom.at}`);
    await world.refused(mallory, "FF316", mentionSql, [id, [tom.id]]);
    await world.refused("anon", "42501", mentionSql, [id, [tom.id]]);
    await world.refused("anon", "42501", offerSql, ["general", "T"]);
    const forge = `insert into public.notifications (user_id, kind, actor_id, subject_id)
      values ($1, 'mention', $2, $3)`;
    await world.refused(mallory, "42501", forge, [tom.id, mallory, id]);
    const { id: silent } = await insertMessage(world, mallory, "No name here");
    await world.run(mallory, mentionSql, [silent, [tom.id]]);
    expect(await kinds(world, tom.id)).toEqual([]);
  });
});

test("the picker offers members by the beginning of a word of their name", async ({ world }) => {
  const [ada, tom] = [await world.member(), await someone(world)];
  const found = [{ user_id: tom.id, name: `Tom ${tom.last}` }];
  expect(await world.run(ada, offerSql, ["general", tom.last.slice(0, -1)])).toEqual(found);
  expect(await world.run(ada, offerSql, ["general", tom.last.slice(1)])).toEqual([]);
  for (const nothing of ["", "  ", null, "%"]) {
    expect(await world.run(ada, offerSql, ["general", nothing])).toEqual([]);
  }
  await world.refused(await world.newcomer(), "FF700", offerSql, ["general", "T"]);
  await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'people'");
  const eve = await world.member();
  await world.run(eve, offerSql, ["general", "T"]);
  await world.refused(eve, "FF300", offerSql, ["general", "T"]);
});
