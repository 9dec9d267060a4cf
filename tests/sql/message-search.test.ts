import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  editMessageSql,
  insertMessage,
  openRoom,
  raise,
  withoutHurry,
} from "./chat-world.ts";
import { test, type Row, type World } from "./world.ts";

const searchSql = "select * from public.search_messages($1, $2, $3, $4, $5)";

async function search(world: World, who: string, query: string, room?: string): Promise<Row[]> {
  return await world.run(who, searchSql, [query, room ?? null, null, null, null]);
}

const contents = (rows: readonly Row[]) =>
  rows.map((row) => String(row["excerpt"]).replaceAll("\u0002", "").replaceAll("\u0003", ""));

describe("a search over messages", () => {
  test("finds every word in any form, the last one unfinished, newest first", async ({ world }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    for (const text of [
      "My invoices are late",
      "An invoice was paid late",
      "Late again",
      "Lateral thinking about invoices",
    ]) {
      await insertMessage(world, ada, text, { chat_room_id: room });
    }
    expect(contents(await search(world, ada, "invoice late", room))).toEqual([
      "Lateral thinking about invoices",
      "An invoice was paid late",
      "My invoices are late",
    ]);
    expect(contents(await search(world, ada, "  LATE, invoicing!", room))).toHaveLength(2);
    for (const nothing of ["", "   ", "the", "'; drop table --", "zebra", "!&|()<->:*"]) {
      expect(await search(world, ada, nothing, room)).toEqual([]);
    }
  });

  test("says who, where and when, and marks the words in a short excerpt", async ({ world }) => {
    const [ada, room] = [await world.member(), await openRoom(world)];
    const { id, created_at } = await insertMessage(
      world,
      ada,
      `${"word ".repeat(200)} a \u0002bookkeeper\u0003 in Leeds ${"tail ".repeat(200)}`,
      { chat_room_id: room },
    );
    const [hit] = await search(world, ada, "bookkeeper");
    expect(hit).toMatchObject({
      message_id: id,
      chat_room_id: room,
      room_name: "Room",
      user_id: ada,
      author_first_name: "Ada",
      author_last_name: "Byron",
      created_at,
    });
    // What the author typed of the kind is gone.
    expect(String(hit?.["excerpt"]).split("\u0002")).toHaveLength(2);
    expect(hit?.["excerpt"]).toContain("\u0002bookkeeper\u0003");
    expect(String(hit?.["excerpt"]).length).toBeLessThan(300);
  });

  test("never shows what one may not read now, nor what blocked members wrote", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const [low, high] = [await openRoom(world), await openRoom(world, 3)];
    await raise(world, ada, 3);
    await raise(world, bob, 3);
    await insertMessage(world, ada, "zircon below", { chat_room_id: low });
    await insertMessage(world, ada, "zircon above", { chat_room_id: high });
    expect(contents(await search(world, bob, "zircon"))).toEqual(["zircon above", "zircon below"]);
    expect(contents(await search(world, bob, "zircon", low))).toEqual(["zircon below"]);
    await raise(world, bob, 2);
    expect(contents(await search(world, bob, "zircon"))).toEqual(["zircon below"]);
    await world.refused(bob, "FF311", searchSql, ["zircon", high, null, null, null]);
    await world.refused(bob, "FF310", searchSql, ["zircon", "cellar", null, null, null]);
    const block = "insert into private.member_blocks (user_id, blocked_id) values ($1, $2)";
    await world.run("owner", block, [bob, ada]);
    expect(await search(world, bob, "zircon")).toEqual([]);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [low]);
    expect(contents(await search(world, ada, "zircon"))).toEqual(["zircon above"]);
    await world.setSubscriptionStatus(ada, "canceled");
    await world.refused(ada, "FF700", searchSql, ["zircon", null, null, null, null]);
    await world.refused("anon", "42501", searchSql, ["zircon", null, null, null, null]);
    await world.refused(ada, "42501", "select from private.message_search_documents");
  });

  test("follows edits, and forgets what was deleted, with its account too", async ({ world }) => {
    const [ada, bob, room] = [await world.member(), await world.member(), await openRoom(world)];
    const { id } = await insertMessage(world, ada, "first draft", { chat_room_id: room });
    const gone = await insertMessage(world, ada, "secret draft", { chat_room_id: room });
    await world.run(ada, editMessageSql, [id, "final version"]);
    expect(contents(await search(world, bob, "draft", room))).toEqual(["secret draft"]);
    expect(contents(await search(world, bob, "version", room))).toEqual(["final version"]);
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    expect(await search(world, bob, "draft", room)).toEqual([]);
    const stored =
      "select message_id from private.message_search_documents where chat_room_id = $1";
    expect(await world.run("owner", stored, [room])).toEqual([{ message_id: id }]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    expect(await world.run("owner", stored, [room])).toEqual([]);
  });

  test("continues without gaps or repeats, also among equal times", async ({ world }) => {
    await withoutHurry(world);
    const [ada, room] = [await world.member(), await openRoom(world)];
    const fill = `insert into public.chat_messages (user_id, chat_room_id, content, created_at, changed_at)
      select $1, $2, 'walnut ' || g, '2026-01-01'::timestamptz + make_interval(mins => g / 3), now()
      from generate_series(1, 11) g`;
    await world.run("owner", fill, [ada, room]);
    const seen: unknown[] = [];
    let last: Row | undefined;
    do {
      const sql = `select message_id, created_at::text as created_at
        from public.search_messages('walnut', $1, $2::timestamptz, $3::uuid, 4)`;
      const from = [last?.["created_at"] ?? null, last?.["message_id"] ?? null];
      const page = await world.run(ada, sql, [room, ...from]);
      seen.push(...page.map((row) => row["message_id"]));
      last = page.at(-1);
    } while (last);
    const expected = `select id from public.chat_messages where chat_room_id = $1 order by created_at desc, id`;
    expect(seen).toEqual((await world.run("owner", expected, [room])).map((row) => row["id"]));
  });

  test("is limited to a rate", async ({ world }) => {
    const ada = await world.member();
    const limit = "update private.rate_limits set max_count = 1 where action = 'message_search'";
    await world.run("owner", limit);
    await search(world, ada, "anything");
    await world.refused(ada, "FF300", searchSql, ["anything", null, null, null, null]);
  });
});
