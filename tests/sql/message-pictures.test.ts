import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  deleteMessageSql,
  editMessageSql,
  engagements,
  insertMessage,
  openRoom,
  raise,
  readMessage,
  readOverview,
  roomAt,
} from "./chat-world.ts";
import { resolveReportSql, waitingReport } from "./report-world.ts";
import { test, type Row, type World } from "./world.ts";

const bucketName = "message-pictures";
const uploadSql = `insert into storage.objects (bucket_id, name, owner_id) values ('${bucketName}', $1, $2)`;
const seenSql = `select from storage.objects where bucket_id = '${bucketName}' and name = $1`;
const dueSql = "select array(select public.message_pictures_to_purge($1, $2)) as names";
const unknownId = "00000000-0000-4000-8000-000000000000";

/** Uploads a picture for a message that is not sent yet. */
async function upload(world: World, author: string, ext = "jpg"): Promise<Row> {
  const id = randomUUID();
  const picture = `${author}-${id}.${ext}`;
  await world.run(author, uploadSql, [picture, author]);
  return { id, picture, picture_width: 1200, picture_height: 800, picture_alt: "A desk" };
}

/** Sends a message with a picture. @returns its row as stored. */
async function post(world: World, author: string, content = "", extra: Row = {}): Promise<Row> {
  return await insertMessage(world, author, content, {
    ...(await upload(world, author)),
    message_type: "message",
    ...extra,
  });
}

const sees = async (world: World, reader: string, { picture }: Row) =>
  (await world.run(reader, seenSql, [picture])).length === 1;

async function due(world: World, author: string): Promise<string[]> {
  const { names } = await world.one("service_role", dueSql, ["", 10_000]);
  return (names as string[]).filter((name) => name.startsWith(author));
}

describe("the bucket for pictures of messages", () => {
  test("is private and takes pictures under 5 MB", async ({ world }) => {
    expect(
      await world.one("owner", "select * from storage.buckets where id = $1", [bucketName]),
    ).toMatchObject({
      public: false,
      file_size_limit: "5242879",
      allowed_mime_types: ["image/jpeg", "image/png"],
    });
  });

  test("takes a member's own names for a message, and no others", async ({ world }) => {
    const [user, victim] = [await world.member(), await world.member()];
    const newcomer = await world.newcomer();
    const id = randomUUID();
    for (const ext of ["jpg", "png"]) {
      expect(await world.count(user, uploadSql, [`${user}-${id}.${ext}`, user])).toBe(1);
    }
    for (const name of [
      `${victim}-${id}.png`,
      `${user}-1.png`,
      `${user}-${id}.svg`,
      `${user}-${id}.webp`,
      `${user}-${id}.PNG`,
      `${user}-${id}.png.html`,
      `${user}-${id}.png/x`,
      `x/${user}-${id}.png`,
      `${user}-${id}.png\n`,
      `${user}-${id}-${id}.png`,
      "picture.png",
    ]) {
      await world.refused(user, "42501", uploadSql, [name, user]);
    }
    await world.refused(newcomer, "42501", uploadSql, [`${newcomer}-${id}.png`, newcomer]);
    await world.refused("anon", "42501", uploadSql, [`${user}-${randomUUID()}.png`, user]);
    await world.setSubscriptionStatus(user, "past_due");
    await world.refused(user, "42501", uploadSql, [`${user}-${randomUUID()}.png`, user]);
  });

  test("takes 30 pictures of an account in an hour", async ({ world }) => {
    const [user, other] = [await world.member(), await world.member()];
    for (let n = 1; n <= 30; n += 1) await upload(world, user);
    const next = `${user}-${randomUUID()}.jpg`;
    await world.refused(user, "42501", uploadSql, [next, user]);
    // The storage service of a hosted project writes with the server's role.
    await world.refused("service_role", "42501", uploadSql, [next, user]);
    await upload(world, other);
  });

  test("keeps a picture as it is, and lets no client delete one", async ({ world }) => {
    const user = await world.member();
    const { picture } = await post(world, user);
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (const actor of [user, await world.member(), await world.admin()]) {
      const named = "storage.objects where bucket_id = 'message-pictures' and name = $1";
      expect(await world.count(actor, `delete from ${named}`, [picture])).toBe(0);
      const rename = "update storage.objects set name = 'x' where name = $1";
      expect(await world.count(actor, rename, [picture])).toBe(0);
    }
    for (const change of ["version = 'x'", "bucket_id = 'elsewhere'", "name = 'x'"]) {
      const sql = `update storage.objects set ${change} where name = $1`;
      await world.refused("owner", "42501", sql, [picture]);
    }
  });
});

describe("a message with a picture", () => {
  test("says Picture when it has no text, in the page and in the list of rooms", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const room = await openRoom(world);
    const alone = await post(world, ada, " \u200b ", {
      chat_room_id: room,
      picture_alt: "  A desk ",
    });
    expect(alone).toMatchObject({ content: "Picture", picture_alt: "A desk", picture_width: 1200 });
    expect(await readOverview(world, bob, room)).toMatchObject({
      last_message: "Picture",
      unread_count: 1,
    });
    const both = await post(world, ada, " Look ", { chat_room_id: room, picture_alt: null });
    const page = await world.run(bob, "select * from public.room_page($1)", [room]);
    expect(page).toMatchObject([
      { content: "Look", picture: both["picture"], picture_alt: "" },
      { content: "Picture", picture: alone["picture"], picture_height: 800 },
    ]);
    // A text can be taken away from beside a picture, but not from a message without one.
    await world.run(ada, editMessageSql, [both["id"], " "]);
    expect(await readMessage(world, both["id"])).toMatchObject({ content: "Picture" });
    const plain = await insertMessage(world, ada);
    await world.refused(ada, "FF312", editMessageSql, [plain["id"], " "]);
    await world.refused(ada, "FF313", editMessageSql, [both["id"], "x".repeat(4001)]);
  });

  test("counts as one message, sent once or again", async ({ world }) => {
    const ada = await world.member();
    const before = await engagements(world, ada);
    const { id, picture } = await post(world, ada);
    expect(await engagements(world, ada)).toBe(before + 1);
    // The picture may be gone when an unanswered call is repeated.
    await world.run(ada, deleteMessageSql, [id]);
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    await world.run("owner", "delete from storage.objects where name = $1", [picture]);
    await world.refused(ada, "23505", ...again(ada, id, picture));
    expect(await engagements(world, ada)).toBe(before + 1);
  });

  test("names the caller's own recent upload for this message, or is refused", async ({
    world,
  }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const theirs = await upload(world, bob);
    const sent = await post(world, ada);
    const waiting = await upload(world, ada);
    const old = await upload(world, ada);
    const elsewhere = randomUUID();
    await world.store(`${ada}-${elsewhere}.jpg`, "learning-images");
    await world.run(
      "owner",
      "update storage.objects set created_at = now() - interval '13 hours' where name = $1",
      [old["picture"]],
    );
    for (const [id, picture] of [
      [theirs["id"], theirs["picture"]],
      [randomUUID(), sent["picture"]],
      [randomUUID(), waiting["picture"]],
      [old["id"], old["picture"]],
      [elsewhere, `${ada}-${elsewhere}.jpg`],
      [unknownId, `${ada}-${unknownId}.jpg`],
      [randomUUID(), "https://evil.test/x.jpg"],
      [randomUUID(), ""],
    ]) {
      await world.refused(ada, "FF323", ...again(ada, id, picture));
    }
    for (const wrong of [
      { picture_width: 0 },
      { picture_height: 4097 },
      { picture_width: null },
      { picture_alt: "x".repeat(301) },
    ]) {
      await world.refused(ada, "23514", ...again(ada, waiting["id"], waiting["picture"], wrong));
    }
    await world.refused(ada, "23514", ...again(ada, randomUUID(), null, { content: "No picture" }));
    await world.refused(ada, "42501", ...again(bob, theirs["id"], theirs["picture"]));
    await world.refused(
      ada,
      "FF311",
      ...again(ada, waiting["id"], waiting["picture"], { chat_room_id: roomAt[2] }),
    );
    await world.run(ada, ...again(ada, waiting["id"], waiting["picture"]));
    for (const change of ["picture = null", "picture_alt = 'x'", "picture_width = 9"]) {
      const sql = `update public.chat_messages set ${change} where id = $1`;
      await world.refused(ada, "42501", sql, [sent["id"]]);
    }
  });
});

describe("who may read the message", () => {
  test("may read its picture, and nobody else", async ({ world }) => {
    const [ada, bob, low] = [await world.member(), await world.member(), await world.member()];
    for (const member of [ada, bob]) await raise(world, member, 2);
    const high = await post(world, ada, "", { chat_room_id: roomAt[2] });
    expect(await sees(world, bob, high)).toBe(true);
    for (const actor of [low, await world.newcomer(), "anon"]) {
      expect(await sees(world, actor, high), actor).toBe(false);
    }
    await raise(world, bob, 1);
    expect(await sees(world, bob, high)).toBe(false);
    await raise(world, bob, 2);
    await world.setSubscriptionStatus(bob, "past_due");
    expect(await sees(world, bob, high)).toBe(false);
    // Not sent yet, or never: its author alone.
    const waiting = await upload(world, ada);
    expect([await sees(world, ada, waiting), await sees(world, low, waiting)]).toEqual([
      true,
      false,
    ]);
    await world.run("owner", "update public.chat_rooms set is_active = false where id = $1", [
      roomAt[2],
    ]);
    expect(await sees(world, await world.admin(), high)).toBe(false);
    // Part of the author's data, also without a membership.
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await sees(world, ada, high)).toBe(true);
  });

  test("can no longer once it is deleted, and the file is due", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    const [gone, kept] = [await post(world, ada), await post(world, ada)];
    expect(await due(world, ada)).toEqual([]);
    await world.run(ada, deleteMessageSql, [gone["id"]]);
    expect(await readMessage(world, gone["id"])).toMatchObject({
      content: "",
      picture: null,
      picture_width: null,
      picture_height: null,
      picture_alt: null,
    });
    expect([await sees(world, bob, gone), await sees(world, bob, kept)]).toEqual([false, true]);
    expect(await due(world, ada)).toEqual([gone["picture"]]);
  });

  test("reports it, which keeps it for the decision and no longer", async ({ world }) => {
    const [ada, bob, admin] = [await world.member(), await world.member(), await world.admin()];
    const plain = await world.plainAdmin();
    const rude = await post(world, ada, "", { picture_alt: "A rude drawing" });
    await world.run(bob, "select public.report('message', $1, 'Rude')", [rude["id"]]);
    await world.run(ada, deleteMessageSql, [rude["id"]]);
    expect(await sees(world, admin, rude)).toBe(true);
    for (const actor of [bob, plain]) expect(await sees(world, actor, rude)).toBe(false);
    expect(await due(world, ada)).toEqual([]);
    const report = await waitingReport(world, admin, rude["id"]);
    expect(report).toMatchObject({
      place: { is_deleted: true },
      snapshot: { content: "Picture", picture: rude["picture"], picture_alt: "A rude drawing" },
    });
    const mine = (await world.one(bob, "select public.export_my_data() as data"))["data"] as Row;
    expect(JSON.stringify(mine["reports"])).not.toContain(ada);
    expect(JSON.stringify(mine["reports"])).not.toContain("rude drawing");
    await world.run(admin, resolveReportSql, [report?.["report_id"], "keep"]);
    expect(await sees(world, admin, rude)).toBe(false);
    expect(await due(world, ada)).toEqual([rude["picture"]]);
  });
});

describe("pictures no message shows", () => {
  test("are due after a day, by name and in batches, for the server alone", async ({ world }) => {
    const ada = await world.member();
    const waiting = [await upload(world, ada), await upload(world, ada), await upload(world, ada)];
    const names = waiting.map(({ picture }) => picture as string).toSorted();
    expect(await due(world, ada)).toEqual([]);
    const older =
      "update storage.objects set created_at = now() - interval '25 hours' where name = any ($1)";
    await world.run("owner", older, [names.slice(0, 2)]);
    expect(await due(world, ada)).toEqual(names.slice(0, 2));
    const after = await world.one("service_role", dueSql, [names[0], 1]);
    expect(after["names"]).toEqual([names[1]]);
    for (const actor of [ada, await world.admin(), "anon"]) {
      await world.refused(actor, "42501", dueSql, ["", 1]);
    }
  });
});

/** The insert of a message with a picture. */
function again(
  author: string,
  id: unknown,
  picture: unknown,
  differs: Row = {},
): [sql: string, values: unknown[]] {
  const row: Row = {
    id,
    user_id: author,
    chat_room_id: "general",
    content: "",
    picture,
    picture_width: 12,
    picture_height: 8,
    picture_alt: "",
    ...differs,
  };
  const columns = Object.keys(row);
  const places = columns.map((_, place) => `$${place + 1}`);
  const sql = `insert into public.chat_messages (${columns.join(", ")}) values (${places.join(", ")})`;
  return [sql, Object.values(row)];
}
