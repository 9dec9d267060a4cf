import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  engagements,
  insertMessage,
  likeSql,
  raise,
  reactSql,
  readMessage,
  roomAt,
  unlike,
  withoutHurry,
} from "./chat-world.ts";
import { test, type World } from "./world.ts";

const takeBack =
  "delete from public.message_reactions where user_id = $1 and message_id = $2 and reaction = $3";
const reactorsSql = "select reaction, user_id from public.message_reactors($1)";
const all = ["applause", "celebrate", "insight", "laugh", "thanks"] as const;

async function counts(world: World, id: unknown): Promise<unknown> {
  return (await readMessage(world, id))["reaction_counts"];
}

describe("a reaction", () => {
  test("is counted on the message once for each member, and taken back once", async ({ world }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const { id, changed_at } = await insertMessage(world, ada);
    for (const [who, what] of [
      [bob, "applause"],
      [cleo, "applause"],
      [bob, "thanks"],
    ] as const) {
      await world.run(who, reactSql, [who, id, what]);
    }
    await world.refused(bob, "23505", reactSql, [bob, id, "applause"]);
    expect(await counts(world, id)).toEqual({ applause: 2, thanks: 1 });
    expect(await world.count(bob, takeBack, [bob, id, "applause"])).toBe(1);
    expect(await world.count(bob, takeBack, [bob, id, "applause"])).toBe(0);
    expect(await counts(world, id)).toEqual({ applause: 1, thanks: 1 });
    await world.run(bob, takeBack, [bob, id, "thanks"]);
    await world.run(cleo, takeBack, [cleo, id, "applause"]);
    expect(await counts(world, id)).toEqual({});
    // The live row and the changes since a time carry it.
    expect((await readMessage(world, id))["changed_at"]).not.toEqual(changed_at);
  });

  test("comes with the page and with the changes, with the caller's own", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, reactSql, [bob, id, "thanks"]);
    await world.run(bob, reactSql, [bob, id, "insight"]);
    await world.run(ada, reactSql, [ada, id, "insight"]);
    for (const sql of [
      "select * from public.room_page('general', page_size => 1)",
      "select * from public.room_changes_since('general', now() - interval '1 minute')",
    ]) {
      const mine = async (who: string) =>
        (await world.run(who, sql)).find((row) => row["id"] === id);
      const counted = { reaction_counts: { insight: 2, thanks: 1 } };
      expect(await mine(bob)).toMatchObject({ ...counted, my_reactions: ["insight", "thanks"] });
      expect(await mine(ada)).toMatchObject({ ...counted, my_reactions: ["insight"] });
    }
  });

  test("and a like of one message are one engagement, however often they are repeated", async ({
    world,
  }) => {
    await withoutHurry(world);
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (let round = 0; round < 3; round += 1) {
      for (const reaction of all) await world.run(bob, reactSql, [bob, id, reaction]);
      await world.run(bob, likeSql, [bob, id]);
      await world.run(bob, unlike, [bob, id]);
      for (const reaction of all) await world.run(bob, takeBack, [bob, id, reaction]);
    }
    expect(await engagements(world, bob)).toBe(1);
    // One statement with all five is one engagement as well.
    const other = await insertMessage(world, ada, "Another");
    const five =
      "insert into public.message_reactions (user_id, message_id, reaction) select $1, $2, unnest($3::text[])";
    await world.run(bob, five, [bob, other["id"], all]);
    expect(await counts(world, other["id"])).toEqual(Object.fromEntries(all.map((r) => [r, 1])));
    expect(await engagements(world, bob)).toBe(2);
  });

  test("of your own message is counted, and is no progress event", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada);
    for (const reaction of all) await world.run(ada, reactSql, [ada, id, reaction]);
    expect(await counts(world, id)).toMatchObject({ laugh: 1 });
    // The message itself.
    expect(await engagements(world, ada)).toBe(1);
  });

  test("lets a ring of members move no faster than likes do", async ({ world }) => {
    await withoutHurry(world);
    const ring = [await world.member(), await world.member(), await world.member()];
    const ids = new Map<string, unknown>();
    for (const member of ring) ids.set(member, (await insertMessage(world, member))["id"]);
    for (const member of ring) {
      for (const id of ids.values()) {
        await world.run(member, likeSql, [member, id]);
        for (const reaction of all) await world.run(member, reactSql, [member, id, reaction]);
      }
    }
    // One message sent, and one like of each of the two others.
    for (const member of ring) expect(await engagements(world, member)).toBe(3);
  });

  test("cannot be added, removed or read for another member", async ({ world }) => {
    const [ada, bob, mallory] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, reactSql, [bob, id, "laugh"]);
    await world.refused(mallory, "42501", reactSql, [ada, id, "laugh"]);
    expect(await world.count(mallory, takeBack, [bob, id, "laugh"])).toBe(0);
    expect(await world.count(mallory, "delete from public.message_reactions")).toBe(0);
    const read = "select message_id from public.message_reactions";
    expect(await world.run(mallory, read)).toEqual([]);
    expect(await world.run(bob, read)).toEqual([{ message_id: id }]);
    await world.refused("anon", "42501", reactSql, [ada, id, "laugh"]);
    await world.refused("anon", "42501", "delete from public.message_reactions");
    const move = "update public.message_reactions set reaction = 'thanks' where message_id = $1";
    await world.refused(bob, "42501", move, [id]);
    const forged = "update public.chat_messages set reaction_counts = $2 where id = $1";
    for (const who of [ada, mallory]) {
      await world.refused(who, "42501", forged, [id, { laugh: 9999 }]);
    }
    const sent = `insert into public.chat_messages (user_id, chat_room_id, content, reaction_counts)
      values ($1, 'general', 'Loved', '{"laugh": 99}')`;
    await world.refused(mallory, "42501", sent, [mallory]);
    expect(await counts(world, id)).toEqual({ laugh: 1 });
  });

  test("is one of the five", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    for (const reaction of ["like", "", "<img src=x onerror=alert(1)>", null]) {
      const code = reaction === null ? "23502" : "23514";
      await world.refused(bob, code, reactSql, [bob, id, reaction]);
    }
    expect(await counts(world, id)).toEqual({});
  });

  test("is refused for messages that are deleted or not visible, and rate limited", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await raise(world, ada, 3);
    const high = await insertMessage(world, ada, "High", { chat_room_id: roomAt[3] });
    const gone = await insertMessage(world, ada, "Gone");
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    for (const { id } of [high, gone]) {
      await world.refused(bob, "FF316", reactSql, [bob, id, "laugh"]);
      await world.refused(bob, "FF316", reactorsSql, [id]);
    }
    await raise(world, bob, 3);
    await world.run(bob, reactSql, [bob, high["id"], "laugh"]);
    await raise(world, bob, 1);
    await world.refused(bob, "FF316", reactSql, [bob, high["id"], "thanks"]);
    // Taking one back needs neither level nor membership.
    expect(await world.count(bob, takeBack, [bob, high["id"], "laugh"])).toBe(1);
    const limit = "update private.rate_limits set max_count = 1 where action = 'reaction'";
    await world.run("owner", limit);
    const low = await insertMessage(world, ada, "Low");
    await world.refused(bob, "FF300", reactSql, [bob, low["id"], "laugh"]);
    await world.setSubscriptionStatus(bob, "canceled");
    await world.refused(bob, "FF316", reactSql, [bob, low["id"], "laugh"]);
    expect(await counts(world, low["id"])).toEqual({});
  });

  test("is deleted with its account and with its message", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const [one, two] = [await insertMessage(world, ada), await insertMessage(world, bob)];
    await world.run(bob, reactSql, [bob, one["id"], "laugh"]);
    await world.run(ada, reactSql, [ada, one["id"], "laugh"]);
    await world.run(ada, reactSql, [ada, two["id"], "laugh"]);
    await world.run("owner", "delete from auth.users where id = $1", [bob]);
    expect(await counts(world, one["id"])).toEqual({ laugh: 1 });
    const left = "select message_id from public.message_reactions where user_id = $1";
    expect(await world.run("owner", left, [ada])).toEqual([{ message_id: one["id"] }]);
  });
});

describe("who reacted", () => {
  test("is listed with the likes, first ones first, without those the reader blocked", async ({
    world,
  }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(bob, likeSql, [bob, id]);
    await world.run(cleo, reactSql, [cleo, id, "thanks"]);
    await world.run(bob, reactSql, [bob, id, "thanks"]);
    const all = [
      { reaction: "like", user_id: bob },
      { reaction: "thanks", user_id: cleo },
      { reaction: "thanks", user_id: bob },
    ];
    expect(await world.run(ada, reactorsSql, [id])).toEqual(all);
    await world.run(bob, "select public.block_member($1)", [ada]);
    // A gap would tell the blocked member of the block.
    expect(await world.run(ada, reactorsSql, [id])).toEqual(all);
    await world.run(ada, "select public.block_member($1)", [bob]);
    expect(await world.run(ada, reactorsSql, [id])).toEqual([
      { reaction: "thanks", user_id: cleo },
    ]);
    await world.refused("anon", "42501", reactorsSql, [id]);
    await world.refused(await world.newcomer(), "FF316", reactorsSql, [id]);
  });
});
