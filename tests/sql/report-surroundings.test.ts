import { describe, expect } from "vitest";
import { deleteMessageSql, editMessageSql, insertMessage, openRoom } from "./chat-world.ts";
import { reportQueueSql, reportSql, waitingReport } from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

interface Around {
  readonly before: readonly Row[];
  readonly after: readonly Row[];
}

/** What the queue says was written around a reported message. */
async function around(world: World, admin: string, id: unknown): Promise<Around> {
  return (await waitingReport(world, admin, id))?.["around"] as Around;
}

const contents = (lines: readonly Row[]) => lines.map(({ content }) => content);

describe("what was said around a reported message", () => {
  test("is the five before it and the three after it, of its room alone", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const room = { chat_room_id: await openRoom(world) };
    const elsewhere = { chat_room_id: await openRoom(world) };
    const say = async (text: string, by = ada) => await insertMessage(world, by, text, room);
    for (const n of [1, 2, 3, 4, 5, 6]) await say(`Before ${n}`, n % 2 === 0 ? bob : ada);
    await insertMessage(world, ada, "Elsewhere", elsewhere);
    const { id } = await say("Rude");
    for (const n of [1, 2, 3, 4]) await say(`After ${n}`);
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    const { before, after } = await around(world, admin, id);
    expect(contents(before)).toEqual([2, 3, 4, 5, 6].map((n) => `Before ${n}`));
    expect(contents(after)).toEqual([1, 2, 3].map((n) => `After ${n}`));
    expect(before[0]).toMatchObject({ author: "Ada Byron", is_deleted: false, is_cut: false });
    expect(before[0]?.["created_at"]).toEqual(expect.any(String));
  });

  test("keeps the order of the room for messages of one moment", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const room = { chat_room_id: await openRoom(world) };
    const ids = ["a", "b", "c"].map((letter) => letter.repeat(8) + crypto.randomUUID().slice(8));
    for (const id of ids) await insertMessage(world, ada, id, { ...room, id });
    const sql = "update public.chat_messages set created_at = '2026-01-01' where chat_room_id = $1";
    await world.run("owner", sql, [room.chat_room_id]);
    await world.run(bob, reportSql, ["message", ids[1], "Insults me"]);
    const { before, after } = await around(world, admin, ids[1]);
    const page = await world.run(bob, "select id from public.room_page($1)", [room.chat_room_id]);
    expect([...contents(before), ids[1], ...contents(after)]).toEqual(
      page.map(({ id }) => id).toReversed(),
    );
  });

  test("is read as it is now, while the report keeps what was reported", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const room = { chat_room_id: await openRoom(world) };
    const say = async (text: string) => await insertMessage(world, ada, text, room);
    const [gone, edited] = [await say("Secret"), await say("Harsh")];
    const { id } = await say("Rude");
    const long = await say("x".repeat(700));
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    await world.run(ada, editMessageSql, [edited["id"], "Mild"]);
    await world.run(ada, deleteMessageSql, [id]);
    const row = await waitingReport(world, admin, id);
    expect(row).toMatchObject({ snapshot: { content: "Rude" } });
    expect(row?.["around"]).toMatchObject({
      before: [
        { id: gone["id"], content: "", is_deleted: true },
        { id: edited["id"], content: "Mild", is_deleted: false },
      ],
      after: [{ id: long["id"], content: "x".repeat(600), is_cut: true }],
    });
    expect(JSON.stringify(row)).not.toContain("Secret");
  });

  test("is empty where nothing else was said", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude", { chat_room_id: await openRoom(world) });
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    expect(await around(world, admin, id)).toEqual({ before: [], after: [] });
  });

  test("is said to administrators with a second factor alone, and of rooms alone", async ({
    world,
  }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude", { chat_room_id: await openRoom(world) });
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    await world.run(bob, reportSql, ["profile", ada, "Sells"]);
    const profile = await waitingReport(world, admin, ada);
    expect(profile?.["around"]).toBeNull();
    const direct = "select private.around_message($1)";
    for (const member of [ada, bob]) {
      await world.refused(member, "FF002", reportQueueSql, ["message"]);
      await world.refused(member, "42501", direct, [id]);
    }
    await world.refused(admin, "42501", direct, [id]);
    await world.refused("anon", "42501", reportQueueSql, ["message"]);
    await world.refused("anon", "42501", direct, [id]);
    await world.refused(await world.plainAdmin(), "FF005", reportQueueSql, ["message"]);
  });
});

describe("the author of what is reported", () => {
  test("is known to be suspended, as long as that lasts", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, ["message", id, "Insults me"]);
    const ban = "update auth.users set banned_until = now() + $2::interval where id = $1";
    for (const [lasts, is_suspended] of [
      [null, false],
      ["1 day", true],
      ["-1 second", false],
    ]) {
      await world.run("owner", ban, [ada, lasts]);
      expect(await waitingReport(world, admin, id)).toMatchObject({
        author: { id: ada, is_suspended },
      });
    }
  });
});
