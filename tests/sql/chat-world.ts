import { randomUUID } from "node:crypto";
import type { Row, World } from "./world.ts";

export { roomAt } from "../support/room-at.ts";

export const joinSql = "select public.increment_participant_count($1)";
export const leave = "select public.decrement_participant_count($1)";
export const editMessageSql = "select public.edit_message($1, $2)";
export const deleteMessageSql = "select public.delete_message($1)";
export const likeSql = "insert into public.message_likes (user_id, message_id) values ($1, $2)";
export const reactSql =
  "insert into public.message_reactions (user_id, message_id, reaction) values ($1, $2, $3)";
export const unlike = "delete from public.message_likes where user_id = $1 and message_id = $2";
export const sendSql = `insert into public.chat_messages (user_id, chat_room_id, content, message_type, parent_message_id)
  values ($1, $2, $3, $4, $5)`;

/** Sets a member's level, as the level engine would. */
export async function raise(world: World, member: string, level: number): Promise<void> {
  const sql = "update public.user_levels set current_level = $2 where user_id = $1";
  await world.run("owner", sql, [member, level]);
}

/** Sends a message with the columns the app sends. @returns its row as stored. */
export async function insertMessage(
  world: World,
  member: string,
  content = "Hello",
  extra: Row = {},
): Promise<Row> {
  const id = randomUUID();
  await world.insert(member, "chat_messages", {
    id,
    user_id: member,
    chat_room_id: "general",
    content,
    message_type: "parent_message_id" in extra ? "reply" : "message",
    ...extra,
  });
  return await readMessage(world, extra["id"] ?? id);
}

/** A message as stored. */
export async function readMessage(world: World, id: unknown): Promise<Row> {
  return await world.one("owner", "select * from public.chat_messages where id = $1", [id]);
}

/** How many engagements the level engine has counted for a member. */
export async function engagements(world: World, member: string): Promise<number> {
  const sql = "select message_engagements as n from public.user_progress where user_id = $1";
  const [row] = await world.run("owner", sql, [member]);
  return Number(row?.["n"] ?? 0);
}

/** A room that only this test uses. @returns its id. */
export async function openRoom(world: World, level = 1): Promise<string> {
  const id = `room-${randomUUID()}`;
  const sql =
    "insert into public.chat_rooms (id, name, min_level_required) values ($1, 'Room', $2)";
  await world.run("owner", sql, [id, level]);
  return id;
}

/** Removes the rate limits for tests about other rules. */
export async function withoutHurry(world: World): Promise<void> {
  await world.run("owner", "update private.rate_limits set max_count = 100000");
}

export const overviewSql = "select * from public.chat_room_overview()";

/** What the overview says of a room; empty when it is not listed. */
export async function readOverview(world: World, member: string, room: string): Promise<Row> {
  return (await world.run(member, overviewSql)).find((row) => row["id"] === room) ?? {};
}
