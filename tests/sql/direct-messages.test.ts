import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { channelRights, mayListen, mayNothing } from "./channel-rights.ts";
import {
  choiceSql,
  conversationOf,
  conversationsSql,
  deleteDirectSql,
  directTypingSql,
  editDirectSql,
  markReadSql,
  newMember,
  readTexts,
  sendDirectSql,
  unreadConversations,
  write,
} from "./direct-world.ts";
import { bellKinds, lapsedMember } from "./pact-world.ts";
import { today } from "./today-world.ts";
import { test } from "./world.ts";

const blockSql = "select public.block_member($1)";
const send = (to: unknown) => [randomUUID(), to, "Hello", null];

describe("a conversation", () => {
  test("is read by its two members and by no administrator, and has its unread count, its bell and its place on the dashboard", async ({
    world,
  }) => {
    const [ada, tom, eve] = [
      await newMember(world),
      await newMember(world, "Tom"),
      await newMember(world),
    ];
    const admin = await world.admin();
    const first = await write(world, ada, tom, "May I ask you something?");
    await write(world, ada, tom, "About VAT");
    expect(await readTexts(world, tom)).toEqual(["May I ask you something?", "About VAT"]);
    const reading = [first.conversation_id, "2027-01-01"];
    for (const [outsider, code] of [
      [eve, "FF814"],
      [admin, "FF814"],
      [await lapsedMember(world), "FF700"],
    ] as const) {
      expect(await readTexts(world, outsider)).toEqual([]);
      await world.refused(outsider, code, markReadSql, reading);
    }
    expect(await world.run(tom, conversationsSql)).toMatchObject([
      { member: { id: ada }, excerpt: "About VAT", is_own: false, unread: 2 },
    ]);
    expect(await world.run(ada, conversationsSql)).toMatchObject([{ is_own: true, unread: 0 }]);
    expect(await unreadConversations(world, tom)).toBe(1);
    // One line of the bell for the conversation, with its newest words.
    expect(await bellKinds(world, tom)).toEqual(["direct_message"]);
    // What is unread is counted once, at the conversation.
    expect(await world.run(tom, "select public.my_notifications() -> 'unread' as unread")).toEqual([
      { unread: 0 },
    ]);
    const { waiting } = await today(world, tom);
    expect(waiting).toMatchObject({
      count: 1,
      items: [{ kind: "direct_message", member_id: ada, excerpt: "About VAT", unread: true }],
    });
    await world.run(tom, markReadSql, [first.conversation_id, "2100-01-01"]);
    expect(await unreadConversations(world, tom)).toBe(0);
    expect((await today(world, tom)).waiting).toMatchObject({ count: 0 });
    await write(world, tom, ada, "Of course");
    expect(await unreadConversations(world, ada)).toBe(1);
    expect(await unreadConversations(world, tom)).toBe(0);
    // A read position does not move back.
    await world.run(tom, markReadSql, [first.conversation_id, "2020-01-01"]);
    expect(await unreadConversations(world, tom)).toBe(0);
  });

  test("is one for two members, whoever begins, and sending again stores nothing more", async ({
    world,
  }) => {
    const [ada, tom, eve] = [await world.member(), await world.member(), await world.member()];
    const id = randomUUID();
    const first = await write(world, ada, tom, "Hello", { id });
    expect(await write(world, ada, tom, "Hello again", { id })).toEqual(first);
    const answer = await write(world, tom, ada, "Hi", { parent: id });
    expect(answer.conversation_id).toBe(first.conversation_id);
    expect(await readTexts(world, ada)).toEqual(["Hello", "Hi"]);
    // Not under another member's id, nor as an answer to another conversation.
    await world.refused(eve, "FF316", sendDirectSql, [id, tom, "Mine", null]);
    await world.refused(eve, "FF315", sendDirectSql, [randomUUID(), tom, "Re", id]);
    expect(await conversationOf(world, ada, tom)).toMatchObject({
      conversation_id: first.conversation_id,
      member: { id: tom },
      door: "open",
    });
    expect(await conversationOf(world, ada, first.conversation_id)).toMatchObject({
      member: { id: tom },
    });
    expect(await conversationOf(world, eve, first.conversation_id)).toBeNull();
    expect(await conversationOf(world, ada, ada)).toBeNull();
    expect(await conversationOf(world, ada, randomUUID())).toBeNull();
  });

  test("takes text as rooms do, and moves no level", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    await world.refused(ada, "FF312", sendDirectSql, [randomUUID(), tom, "\u200b \n", null]);
    await world.refused(ada, "FF313", sendDirectSql, [randomUUID(), tom, "x".repeat(4001), null]);
    const progress = "select * from public.user_progress where user_id = $1";
    const before = await world.run(ada, progress, [ada]);
    const id = randomUUID();
    await write(world, ada, tom, `  ${"x".repeat(4000)}  `, { id });
    await write(world, tom, ada, "Thanks", { parent: id });
    expect(await world.run(ada, progress, [ada])).toEqual(before);
    const events =
      "select from private.progress_ledger where user_id = any ($1) and kind = 'message'";
    expect(await world.run("owner", events, [[ada, tom]])).toEqual([]);
  });

  test("lets each edit and delete their own words only", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const { id } = await write(world, ada, tom, "Helo");
    for (const other of [tom, await world.admin()]) {
      await world.refused(other, "FF316", editDirectSql, [id, "Forged"]);
      await world.refused(other, "FF316", deleteDirectSql, [id]);
    }
    await world.run(ada, editDirectSql, [id, " Hello "]);
    expect(await readTexts(world, tom)).toEqual(["Hello"]);
    await write(world, ada, tom, "Second");
    await world.run(ada, deleteDirectSql, [id]);
    await world.run(ada, deleteDirectSql, [id]);
    await world.refused(ada, "FF316", editDirectSql, [id, "Again"]);
    expect(await readTexts(world, tom)).toEqual(["", "Second"]);
    // What is deleted is neither unread nor told of.
    await world.run(
      "owner",
      "update public.direct_messages set content = '', deleted_at = now() where user_id = $1",
      [ada],
    );
    expect(await unreadConversations(world, tom)).toBe(0);
    expect(await bellKinds(world, tom)).toEqual([]);
  });

  test("has rows that no client writes", async ({ world }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const { id, conversation_id } = await write(world, ada, tom);
    for (const sql of [
      "insert into public.direct_messages (id, conversation_id, user_id, content) values (gen_random_uuid(), $1, $2, 'Forged')",
      "update public.direct_messages set content = 'Forged' where conversation_id = $1 and user_id = $2",
      "delete from public.direct_messages where conversation_id = $1 and user_id = $2",
      "insert into private.direct_reads values ($2, $1, now())",
      "insert into private.direct_conversations (id, first_id, second_id) values ($1, $2, $2)",
      "insert into public.message_choices (user_id, accepts) select $2::uuid, 'nobody' where $1::uuid is not null",
    ]) {
      await world.refused(ada, "42501", sql, [conversation_id, tom]);
    }
    for (const table of ["direct_conversations", "direct_reads", "reports"]) {
      await world.refused(ada, "42501", `select from private.${table}`);
    }
    await world.refused("anon", "42501", "select id from public.direct_messages");
    expect(await readTexts(world, tom)).toEqual(["Hello"]);
    expect(id).toBeTruthy();
  });

  test("is limited, also in how many one begins in a day", async ({ world }) => {
    const ada = await world.member();
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action in ('conversation', 'direct_message')",
    );
    await write(world, ada, await world.member());
    await write(world, ada, await world.member());
    await world.refused(ada, "FF300", sendDirectSql, send(await world.member()));
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 9 where action = 'direct_message'",
    );
    await world.refused(ada, "FF300", sendDirectSql, send(await world.member()));
  });
});

describe("the door of a member", () => {
  const doors: readonly [string, string][] = [
    ["everyone", "open"],
    ["known", "closed"],
    ["nobody", "closed"],
  ];
  for (const [choice, door] of doors) {
    test(`is ${door} to a member when it is for ${choice}`, async ({ world }) => {
      const [ada, tom] = [await world.member(), await world.member()];
      await world.run(tom, choiceSql, [choice]);
      expect(await conversationOf(world, ada, tom)).toMatchObject({ door });
      if (door === "open") await write(world, ada, tom);
      else await world.refused(ada, "FF810", sendDirectSql, send(tom));
    });
  }

  test("is open to mentors and to whom the member has written, when it is for those one knows", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const mentor = await world.member("mentor-access");
    await world.run(tom, choiceSql, ["known"]);
    await write(world, mentor, tom, "How is it going?");
    await world.refused(ada, "FF810", sendDirectSql, send(tom));
    await write(world, tom, ada, "Hello Ada");
    await write(world, ada, tom, "Hello Tom");
    // Who takes no messages sends none, and says nothing while typing.
    await world.run(ada, choiceSql, ["nobody"]);
    await world.refused(ada, "FF811", sendDirectSql, send(tom));
    await world.refused(tom, "FF810", sendDirectSql, send(ada));
    await world.refused(ada, "FF813", choiceSql, ["some"]);
    await world.refused(ada, "FF813", choiceSql, [null]);
    const own = "select user_id, accepts from public.message_choices";
    expect(await world.run(ada, own)).toEqual([{ user_id: ada, accepts: "nobody" }]);
    expect(await world.run(mentor, own)).toEqual([]);
  });

  test("looks the same behind a block, a choice, a lapse, a suspension and an unknown id", async ({
    world,
  }) => {
    const ada = await world.member();
    const [blocking, choosing, lapsing, suspended] = [
      await world.member(),
      await world.member(),
      await world.member(),
      await world.member(),
    ];
    const known = await write(world, ada, blocking, "Before");
    for (const other of [choosing, lapsing, suspended]) await write(world, ada, other, "Before");
    await write(world, blocking, ada, "Stop");
    await world.run(blocking, blockSql, [ada]);
    await world.run(choosing, choiceSql, ["nobody"]);
    await world.setSubscriptionStatus(lapsing, "canceled");
    await world.run("owner", "update auth.users set banned_until = 'infinity' where id = $1", [
      suspended,
    ]);
    const texts = await readTexts(world, ada);
    for (const other of [blocking, choosing, lapsing, suspended]) {
      const { door } = (await conversationOf(world, ada, other)) ?? {};
      expect(door, other).toBe("closed");
      await world.refused(ada, "FF810", sendDirectSql, send(other));
    }
    await world.refused(ada, "FF810", sendDirectSql, send(randomUUID()));
    await world.refused(ada, "FF810", sendDirectSql, send(null));
    await world.refused(ada, "FF810", sendDirectSql, send(ada));
    // The blocked member keeps what was said, and can neither change nor hint at anything.
    expect(texts).toHaveLength(5);
    expect(await world.run(ada, conversationsSql)).toHaveLength(4);
    await world.refused(ada, "FF810", editDirectSql, [known.id, "Louder"]);
    await world.run(ada, directTypingSql, [known.conversation_id]);
    const typed = "select from realtime.messages where topic = $1";
    expect(await world.run("owner", typed, [`direct:${known.conversation_id}`])).toEqual([]);
    // The one who blocked sees nothing of it until the block is taken back.
    expect(await readTexts(world, blocking)).toEqual([]);
    expect(await world.run(blocking, conversationsSql)).toEqual([]);
    expect(await bellKinds(world, blocking)).toEqual([]);
    expect(await unreadConversations(world, blocking)).toBe(0);
    expect(await conversationOf(world, blocking, ada)).toMatchObject({ door: "blocked" });
    await world.refused(blocking, "FF812", sendDirectSql, send(ada));
    await world.run(blocking, "select public.unblock_member($1)", [ada]);
    expect(await readTexts(world, blocking)).toEqual(["Before", "Stop"]);
    await write(world, ada, blocking, "Sorry");
  });

  test("is closed from within for accounts that are not members, who may still take back their words", async ({
    world,
  }) => {
    const [ada, tom] = [await world.member(), await world.member()];
    const { id, conversation_id } = await write(world, ada, tom);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await readTexts(world, ada)).toEqual([]);
    for (const [sql, values] of [
      [sendDirectSql, send(tom)],
      [editDirectSql, [id, "Again"]],
      [conversationsSql, []],
      ["select public.direct_conversation($1)", [tom]],
      [markReadSql, [conversation_id, "2027-01-01"]],
      [directTypingSql, [conversation_id]],
      [choiceSql, ["nobody"]],
    ] as const) {
      await world.refused(ada, "FF700", sql, values);
    }
    expect(await unreadConversations(world, ada)).toBe(0);
    await world.run(ada, deleteDirectSql, [id]);
    expect(await readTexts(world, tom)).toEqual([""]);
  });
});

test("typing is told to the other member on a channel that the two may join", async ({ world }) => {
  const [ada, tom, eve] = [await world.member(), await world.member(), await world.member()];
  const { conversation_id } = await write(world, ada, tom);
  await world.run(ada, directTypingSql, [conversation_id]);
  await world.refused(eve, "FF814", directTypingSql, [conversation_id]);
  const told =
    "select event, payload ->> 'user_id' as id, private from realtime.messages where topic = $1";
  expect(await world.run("owner", told, [`direct:${conversation_id}`])).toEqual([
    { event: "typing", id: ada, private: true },
  ]);
  for (const [member, topic, allowed] of [
    [ada, `direct:${conversation_id}`, mayListen],
    [tom, `direct:${conversation_id}`, mayListen],
    [eve, `direct:${conversation_id}`, mayNothing],
    [ada, conversation_id, mayNothing],
    [ada, "direct:", mayNothing],
    [await world.admin(), `direct:${conversation_id}`, mayNothing],
  ] as const) {
    expect(await channelRights(world, member, topic), topic).toEqual(allowed);
  }
});
