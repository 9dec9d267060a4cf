import { randomUUID } from "node:crypto";
import { onePixelPng } from "../../tools/demo/join.ts";
import type { Account } from "../support/clients.ts";
import { roomAt } from "../support/room-at.ts";

type Author = Pick<Account, "id" | "client">;

/** What a message with a picture says and shows. */
interface PostedPicture {
  readonly room: string;
  readonly content: string;
  readonly alt: string;
  readonly bytes: typeof onePixelPng;
}

export function messagePictures({ client }: Pick<Account, "client">) {
  return client.storage.from("message-pictures");
}

/** Uploads the picture of a message, as the app does. @returns its name. */
export async function storeMessagePicture(
  author: Author,
  message: string,
  bytes = onePixelPng,
): Promise<string> {
  const name = `${author.id}-${message}.png`;
  const options = { contentType: "image/png" };
  const { error } = await messagePictures(author).upload(name, bytes, options);
  if (error) throw error;
  return name;
}

/** Sends a message with a picture. @returns the id of the message and the name of the picture. */
export async function postPicture(
  author: Author,
  { room = roomAt[1], content = "", alt = "", bytes = onePixelPng }: Partial<PostedPicture> = {},
): Promise<{ message: string; name: string }> {
  const message = randomUUID();
  const name = await storeMessagePicture(author, message, bytes);
  const { error } = await author.client.from("chat_messages").insert({
    id: message,
    user_id: author.id,
    chat_room_id: room,
    content,
    picture: name,
    picture_width: 1,
    picture_height: 1,
    picture_alt: alt,
  });
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return { message, name };
}
