import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  engagements,
  readMessage,
  raise,
  roomAt,
  insertMessage,
  sendSql,
  withoutHurry,
} from "./chat-world.ts";
import { test } from "./world.ts";

const all = "select * from public.chat_messages where chat_room_id = $1 order by created_at";
const plain = (member: string, room = "general", content = "Hello") => [
  member,
  room,
  content,
  "message",
  null,
];

describe("a message", () => {
  test("is stored with the server's time and without values the client may not set", async ({
    world,
  }) => {
    const ada = await world.member();
    const before = await world.one("owner", "select clock_timestamp() as now");
    const row = await insertMessage(world, ada, "  Hello,\nworld\t\u3000\ufeff");
    expect(row).toMatchObject({
      user_id: ada,
      chat_room_id: "general",
      content: "Hello,\nworld",
      message_type: "message",
      parent_message_id: null,
      like_count: 0,
      edited_at: null,
      deleted_at: null,
    });
    expect(row["created_at"]).toEqual(row["changed_at"]);
    expect(Number(row["created_at"])).toBeGreaterThanOrEqual(Number(before["now"]));
    for (const column of ["created_at", "edited_at", "deleted_at", "changed_at", "like_count"]) {
      const value = column === "like_count" ? "9999" : "'2001-01-01'";
      const sql = `insert into public.chat_messages (user_id, chat_room_id, content, ${column})
        values ($1, 'general', 'Hello', ${value})`;
      await world.refused(ada, "42501", sql, [ada]);
    }
  });

  test("gets the time of the insert, not of the start of the transaction", async ({ world }) => {
    const ada = await world.member();
    const [first, second] = [await insertMessage(world, ada), await insertMessage(world, ada)];
    expect(Number(second["created_at"])).toBeGreaterThanOrEqual(Number(first["created_at"]));
    const sql =
      "select count(distinct created_at)::int as n from public.chat_messages where user_id = $1";
    expect(await world.one("owner", sql, [ada])).toEqual({ n: 2 });
  });

  test("cannot be sent as another member", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    await world.refused(mallory, "42501", sendSql, plain(ada));
    await world.refused(await world.admin(), "42501", sendSql, plain(ada));
    await world.refused("anon", "42501", sendSql, plain(ada));
  });

  test("needs the level of the room, also after a demotion or a lapse", async ({ world }) => {
    const ada = await world.member();
    await raise(world, ada, 3);
    for (const level of [1, 2, 3] as const) {
      await insertMessage(world, ada, "Hello", { chat_room_id: roomAt[level] });
    }
    await world.refused(ada, "FF311", sendSql, plain(ada, "legacy"));
    await raise(world, ada, 2);
    await world.refused(ada, "FF311", sendSql, plain(ada, "first-clients"));
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF311", sendSql, plain(ada));
    const newcomer = await world.newcomer();
    await world.refused(newcomer, "FF311", sendSql, plain(newcomer));
    const admin = await world.admin();
    await insertMessage(world, admin, "Hello", { chat_room_id: "legacy" });
  });

  test("is refused for rooms that are inactive or do not exist", async ({ world }) => {
    const ada = await world.member();
    await world.refused(ada, "FF310", sendSql, plain(ada, "cellar"));
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'general'");
    await world.refused(ada, "FF310", sendSql, plain(ada));
  });

  test("is stored once when sent again, and sending again does not count towards the limit", async ({
    world,
  }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'message'",
    );
    const again = `insert into public.chat_messages (id, user_id, chat_room_id, content) values ($1, $2, 'general', $3)`;
    await world.refused(ada, "23505", again, [id, ada, "Hello"]);
    expect(await world.count(ada, `${again} on conflict (id) do nothing`, [id, ada, "Other"])).toBe(
      0,
    );
    // Nor can it overwrite another member's message.
    await world.refused(mallory, "23505", again, [id, mallory, "Mine"]);
    const over = `${again} on conflict (id) do update set content = excluded.content`;
    await world.refused(ada, "42501", over, [id, ada, "Other"]);
    expect(await readMessage(world, id)).toMatchObject({ user_id: ada, content: "Hello" });
    expect(await engagements(world, ada)).toBe(1);
  });

  test("counts as one engagement", async ({ world }) => {
    const ada = await world.member();
    const first = await insertMessage(world, ada);
    await insertMessage(world, ada, "Again");
    await insertMessage(world, ada, "Indeed", { parent_message_id: first["id"] });
    expect(await engagements(world, ada)).toBe(3);
  });

  test("is rate limited", async ({ world }) => {
    const ada = await world.member();
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'message'",
    );
    await insertMessage(world, ada);
    await insertMessage(world, ada);
    await world.refused(ada, "FF300", sendSql, plain(ada));
    await insertMessage(world, await world.member());
  });
});

describe("the text", () => {
  test.for([
    ["one letter", "a", "a"],
    ["4,000 characters", "x".repeat(4000), "x".repeat(4000)],
    ["4,000 between spaces", ` ${"x".repeat(4000)}\n`, "x".repeat(4000)],
    ["4,000 emoji", "\u{1f600}".repeat(4000), "\u{1f600}".repeat(4000)],
    ["markup", "<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
    ["right-to-left text", "\u202eשלום عليكم\u202c", "\u202eשלום عليكم\u202c"],
    ["joined emoji", "👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"],
    ["quotes and backslashes", `'"\\ $1 %s; drop table`, `'"\\ $1 %s; drop table`],
    ["lines", "a\r\n\n\nb", "a\r\n\n\nb"],
  ] as const)("of %s is kept as it is", async ([, sent, kept], { world }) => {
    expect((await insertMessage(world, await world.member(), sent))["content"]).toBe(kept);
  });

  test.for([
    ["nothing", ""],
    ["spaces", " \t\r\n\u00a0\u3000"],
    ["zero-width characters", "\u200b\u200c\u200d\u2060\ufeff"],
    ["marks of direction", "\u200e\u200f\u202a\u202e\u2066\u2069\u061c"],
    ["fillers", "\u3164\u115f\u1160\uffa0\u2800"],
    ["selectors and tags", "\ufe0f\u{e0041}\u{e0101}"],
    ["controls and soft hyphens", "\u0007\u001b\u00ad\u034f"],
  ] as const)("is refused as empty when it is %s", async ([, content], { world }) => {
    const ada = await world.member();
    await world.refused(ada, "FF312", sendSql, plain(ada, "general", content));
  });

  test("is refused as empty when it is null", async ({ world }) => {
    const ada = await world.member();
    const sql =
      "insert into public.chat_messages (user_id, chat_room_id, content) values ($1, 'general', null)";
    await world.refused(ada, "FF312", sql, [ada]);
  });

  test.for([4001, 10_000])(
    "is refused with %i characters, with the length as detail",
    async (n, { world }) => {
      const ada = await world.member();
      const sent = world.run(ada, sendSql, plain(ada, "general", "x".repeat(n)));
      expect(await sent.catch((error: unknown) => error)).toMatchObject({
        code: "FF313",
        detail: `${n}`,
      });
    },
  );

  test("is limited for the server role as well", async ({ world }) => {
    const ada = await world.member();
    for (const content of ["", "x".repeat(4001)]) {
      await world.refused("owner", "23514", sendSql, plain(ada, "general", content));
    }
    const { id } = await insertMessage(world, ada);
    const update = "update public.chat_messages set deleted_at = now() where id = $1";
    await world.refused("owner", "23514", update, [id]);
    await world.refused(
      "owner",
      "23514",
      "update public.chat_messages set like_count = -1 where id = $1",
      [id],
    );
  });
});

describe("a reply", () => {
  test("needs a parent in the same room that is not deleted", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await withoutHurry(world);
    const { id } = await insertMessage(world, ada, "Question");
    const reply = await insertMessage(world, bob, "Answer", { parent_message_id: id });
    expect(reply).toMatchObject({ message_type: "reply", parent_message_id: id });
    const send = (...values: unknown[]) => [bob, ...values];
    await world.refused(bob, "FF315", sendSql, send("success", "Answer", "reply", id));
    await world.refused(bob, "FF315", sendSql, send("general", "Answer", "reply", randomUUID()));
    await world.run(ada, "select public.delete_message($1)", [id]);
    await world.refused(bob, "FF315", sendSql, send("general", "Answer", "reply", id));
  });

  test("needs a parent, and other messages may not have one", async ({ world }) => {
    const ada = await world.member();
    const { id } = await insertMessage(world, ada);
    await world.refused(ada, "FF314", sendSql, [ada, "general", "Hello", "message", id]);
    await world.refused(ada, "FF314", sendSql, [ada, "general", "Hello", "reply", null]);
    await world.refused(ada, "23514", sendSql, [ada, "general", "Hello", "announcement", null]);
    await world.refused("owner", "23514", sendSql, [ada, "general", "Hello", "message", id]);
  });

  test("stays when the account of the parent's author is deleted", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const { id } = await insertMessage(world, ada, "Question");
    const reply = await insertMessage(world, bob, "Answer", { parent_message_id: id });
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect(await readMessage(world, reply["id"])).toMatchObject({
      content: "Answer",
      message_type: "reply",
      parent_message_id: null,
    });
    expect(
      await world.run("owner", "select from public.chat_messages where id = $1", [id]),
    ).toEqual([]);
  });
});

describe("reading", () => {
  test("needs the level of the room, also after a demotion or a lapse", async ({ world }) => {
    const admin = await world.admin();
    for (const level of [1, 2, 3, 4] as const) {
      await insertMessage(world, admin, `Level ${level}`, { chat_room_id: roomAt[level] });
    }
    const ada = await world.member();
    const seen = async () => {
      const rows = await world.run(
        ada,
        "select content from public.chat_messages where user_id = $1 order by content",
        [admin],
      );
      return rows.map((row) => row["content"]);
    };
    for (const level of [1, 2, 3, 4, 2]) {
      await raise(world, ada, level);
      expect(await seen()).toEqual(["Level 1", "Level 2", "Level 3", "Level 4"].slice(0, level));
    }
    await world.setSubscriptionStatus(ada, "unpaid");
    expect(await seen()).toEqual([]);
  });

  test("does not include your own messages in a room above your level", async ({ world }) => {
    const ada = await world.member();
    await raise(world, ada, 2);
    const mine = await insertMessage(world, ada, "Mine", { chat_room_id: "reading-circle" });
    expect(await world.run(ada, all, ["reading-circle"])).toContainEqual(
      expect.objectContaining({ id: mine["id"] }),
    );
    await raise(world, ada, 1);
    expect(await world.run(ada, all, ["reading-circle"])).toEqual([]);
  });

  test("is refused for visitors, newcomers and inactive rooms", async ({ world }) => {
    const [ada, newcomer] = [await world.member(), await world.newcomer()];
    await insertMessage(world, ada);
    await world.refused("anon", "42501", all, ["general"]);
    expect(await world.run(newcomer, all, ["general"])).toEqual([]);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = 'general'");
    expect(await world.run(ada, all, ["general"])).toEqual([]);
    expect(await world.run(await world.admin(), all, ["general"])).toEqual([]);
  });
});

describe("other columns of a message", () => {
  test("a sent like count changes nothing, and no other column can be sent", async ({ world }) => {
    const [ada, mallory] = [await world.member(), await world.member()];
    const row = await insertMessage(world, ada);
    for (const actor of [ada, mallory, await world.admin()]) {
      const sql = "update public.chat_messages set like_count = 9999 where id = $1";
      expect(await world.count(actor, sql, [row["id"]])).toBe(0);
      for (const column of ["content", "user_id", "chat_room_id", "created_at", "deleted_at"]) {
        const update = `update public.chat_messages set ${column} = null where id = $1`;
        await world.refused(actor, "42501", update, [row["id"]]);
      }
      await world.refused(actor, "42501", "delete from public.chat_messages where id = $1", [
        row["id"],
      ]);
    }
    expect(await readMessage(world, row["id"])).toEqual(row);
  });
});
