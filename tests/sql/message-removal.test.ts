import { describe, expect } from "vitest";
import { deleteMessageSql, insertMessage, openRoom, readMessage } from "./chat-world.ts";
import { explanation, removeMessageSql, reportSql, waitingReport } from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

async function told(world: World, member: string): Promise<readonly Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly Row[] }).items;
}

describe("what an administrator deletes in a room", () => {
  test("is told to its author alone: where, when, its first words and why", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const words = `You\n\n are   ${"very ".repeat(20)}rude`;
    const { id, created_at } = await insertMessage(world, ada, words);
    await world.run(admin, removeMessageSql, [id]);
    await world.run(admin, removeMessageSql, [id]);
    const lines = await told(world, ada);
    expect(lines).toMatchObject([
      { kind: "moderated", what: "message", is_kept: false, room: "General", excerpt: explanation },
    ]);
    expect(lines[0]?.["words"]).toBe(`You are ${"very ".repeat(10)}v…`);
    expect(Date.parse(String(lines[0]?.["written_at"]))).toBe((created_at as Date).getTime());
    expect(JSON.stringify(lines)).not.toContain(admin);
    expect(await told(world, bob)).toEqual([]);
  });

  test("leads its author to where it stood, and nobody else", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude");
    await world.run(bob, reportSql, ["message", id, "Rude"]);
    await world.run(admin, removeMessageSql, [id]);
    expect(await told(world, ada)).toMatchObject([{ chat_room_id: "general", message_id: id }]);
    const [heard] = await told(world, bob);
    expect(heard).toMatchObject({ kind: "report_decided" });
    for (const place of ["chat_room_id", "message_id"]) expect(heard).not.toHaveProperty(place);
    // A line of an earlier release doesn't know the place.
    await world.run(
      "owner",
      "update public.notifications set facts = '{}' where user_id = $1 and kind = 'moderated'",
      [ada],
    );
    const [before] = await told(world, ada);
    expect(before).toMatchObject({ kind: "moderated", what: "message" });
    expect(before).not.toHaveProperty("chat_room_id");
  });

  test("opens no room that has closed to its author, whom the line still leads there", async ({
    world,
  }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    const room = await openRoom(world);
    const { id } = await insertMessage(world, ada, "Rude", { chat_room_id: room });
    await world.run(admin, removeMessageSql, [id]);
    const read = "select id from public.chat_messages where id = $1";
    expect(await world.run(ada, read, [id])).toHaveLength(1);
    await world.run(admin, "select public.edit_room($1, min_level_required => 3)", [room]);
    expect(await world.run(ada, read, [id])).toEqual([]);
    expect(await told(world, ada)).toMatchObject([{ chat_room_id: room, message_id: id }]);
  });

  test("is told to nobody when its author deletes it, an administrator too", async ({ world }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    for (const author of [ada, admin]) {
      const { id } = await insertMessage(world, author, "Mine");
      await world.run(author, deleteMessageSql, [id]);
      expect((await readMessage(world, id))["content"]).toBe("");
      expect(await told(world, author)).toEqual([]);
    }
  });

  test("decides its open reports, of which who reported hears, and its author once", async ({
    world,
  }) => {
    const [ada, bob, cleo] = [await world.member(), await world.member(), await world.member()];
    const admin = await world.admin();
    const { id } = await insertMessage(world, ada, "Rude");
    const { id: other } = await insertMessage(world, ada, "Polite");
    for (const member of [bob, cleo]) await world.run(member, reportSql, ["message", id, "Rude"]);
    await world.run(bob, reportSql, ["message", other, "Rude"]);
    await world.run(admin, removeMessageSql, [id]);
    expect(await waitingReport(world, admin, id)).toBeUndefined();
    expect(await waitingReport(world, admin, other)).toMatchObject({ reports: 1 });
    const sql = "select distinct decision, explanation from private.reports where message_id = $1";
    expect(await world.run("owner", sql, [id])).toEqual([{ decision: "remove", explanation }]);
    for (const member of [bob, cleo]) {
      expect(await told(world, member)).toMatchObject([
        { kind: "report_decided", what: "message", is_kept: false },
      ]);
      expect(JSON.stringify(await told(world, member))).not.toContain(explanation);
    }
    expect(await told(world, ada)).toMatchObject([{ kind: "moderated", words: "Rude" }]);
  });

  test("needs an explanation of at most 500 characters, and without one stays", async ({
    world,
  }) => {
    const [ada, admin] = [await world.member(), await world.admin()];
    const { id } = await insertMessage(world, ada, "Rude");
    const remove = "select public.delete_message($1, $2)";
    for (const nothing of [null, "", " \u00a0\n", "a".repeat(501)]) {
      await world.refused(admin, "FF344", remove, [id, nothing]);
    }
    await world.refused(admin, "FF344", deleteMessageSql, [id]);
    expect((await readMessage(world, id))["content"]).toBe("Rude");
    expect(await told(world, ada)).toEqual([]);
    await world.run(admin, remove, [id, ` ${"💬".repeat(500)} `]);
    expect(await told(world, ada)).toMatchObject([{ excerpt: "💬".repeat(500) }]);
  });

  test("is deleted by no other member, explained or not", async ({ world }) => {
    const [ada, bob, plain] = [
      await world.member(),
      await world.member(),
      await world.plainAdmin(),
    ];
    const { id } = await insertMessage(world, ada, "Frank");
    for (const actor of [bob, plain]) await world.refused(actor, "FF316", removeMessageSql, [id]);
    await world.refused("anon", "42501", removeMessageSql, [id]);
    const tell =
      "select private.tell_author_of_removal('message', $1, private.reported_message($1), 'remove', 'Rude')";
    await world.refused(bob, "42501", tell, [id]);
    await world.refused(bob, "42501", "select private.erase_message($1)", [id]);
    expect((await readMessage(world, id))["content"]).toBe("Frank");
    expect(await told(world, ada)).toEqual([]);
  });
});
