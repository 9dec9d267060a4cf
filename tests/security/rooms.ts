import { randomUUID } from "node:crypto";
import type { Account } from "../support/clients.ts";
import { roomAt } from "../support/room-at.ts";
import { owner } from "./members.ts";

export { roomAt };

const madeRooms: string[] = [];

/** Removes the rooms that this file has made; call it after its tests, because other files count the rooms of the product. */
export async function removeRooms(): Promise<void> {
  const made = madeRooms.splice(0);
  await owner.query("delete from public.chat_rooms where id = any ($1)", [made]);
}

/** A room that no other test uses, until `removeRooms`. @returns its id. */
export async function makeRoom(level = 1): Promise<string> {
  const id = `room-${randomUUID()}`;
  madeRooms.push(id);
  await owner.query(
    "insert into public.chat_rooms (id, name, min_level_required) values ($1, 'A room', $2)",
    [id, level],
  );
  return id;
}

/** Sets a member's level, as the level engine or an operator would. */
export async function setLevel(id: string, level: number): Promise<void> {
  await owner.query("update public.user_levels set current_level = $2 where user_id = $1", [
    id,
    level,
  ]);
}

/** Sends a message with the official client. @returns its id. */
export async function postMessage(
  { client, id }: Account,
  content = "Hello",
  chat_room_id: string = roomAt[1],
): Promise<string> {
  const message = randomUUID();
  const { error } = await client.from("chat_messages").insert({
    id: message,
    user_id: id,
    chat_room_id,
    content,
    message_type: "message",
    parent_message_id: null,
  });
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return message;
}
