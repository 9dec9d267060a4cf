import { randomUUID } from "node:crypto";
import { namedMember, newMark } from "./people-world.ts";
import { reportQueue } from "./report-world.ts";
import type { Row, World } from "./world.ts";

export const sendDirectSql = "select public.send_direct_message($1, $2, $3, $4) as message";
export const editDirectSql = "select public.edit_direct_message($1, $2)";
export const deleteDirectSql = "select public.delete_direct_message($1)";
export const reportDirectSql = "select public.report('direct_message', $1, $2)";
export const choiceSql = "select public.set_message_choice($1)";
export const markReadSql = "select public.mark_conversation_read($1, $2)";
export const directTypingSql = "select public.notify_direct_typing($1)";
export const conversationSql = "select public.direct_conversation($1) as conversation";
export const conversationsSql = "select * from public.my_conversations()";
export const savePostSql = "select public.save_collaboration_post($1, $2, $3, $4, $5)";
export const closePostSql = "select public.close_collaboration_post($1)";
export const reportPostSql = "select public.report('post', $1, $2)";

/** A message as `send_direct_message` answers it. */
export interface SentMessage {
  readonly id: string;
  readonly conversation_id: string;
  readonly created_at: string;
}

/** Sends a message to a member. */
export async function write(
  world: World,
  sender: string,
  recipient: string,
  content = "Hello",
  { id = randomUUID(), parent = null as string | null } = {},
): Promise<SentMessage> {
  const { message } = await world.one(sender, sendDirectSql, [id, recipient, content, parent]);
  return message as SentMessage;
}

/** The texts a member can read in the table, oldest first. */
export async function readTexts(world: World, reader: string): Promise<unknown[]> {
  const sql = "select content from public.direct_messages order by created_at, id desc";
  return (await world.run(reader, sql)).map(({ content }) => content);
}

/** Whom a conversation is with, and whether one may write. */
export async function conversationOf(world: World, reader: string, id: string) {
  return (await world.one(reader, conversationSql, [id]))["conversation"] as Row | null;
}

/** How many conversations of the member have something unread. */
export async function unreadConversations(world: World, member: string): Promise<unknown> {
  return (await world.one(member, "select public.unread_conversations() as n"))["n"];
}

/** A member with a last name of their own. */
export const newMember = async (world: World, first = "Ada") =>
  await namedMember(world, first, newMark(), "Baker");

interface PostValues {
  readonly id?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly details?: string;
  readonly topics?: readonly string[];
}

/** Makes a post, and returns its id. */
export async function makePost(
  world: World,
  member: string,
  {
    id = randomUUID(),
    kind = "request",
    title = "A bookkeeper in Leeds",
    details = "Two hours a month.",
    topics = [],
  }: PostValues = {},
): Promise<string> {
  await world.run(member, savePostSql, [id, kind, title, details, topics]);
  return id;
}

/** The posts of others that a member finds. */
export async function findPosts(
  world: World,
  reader: string,
  filters: Readonly<Record<string, string | number>> = {},
): Promise<Row[]> {
  const names = Object.keys(filters);
  const list = names.map((name, at) => `${name} => $${at + 1}`).join(", ");
  const sql = `select public.collaboration_page(${list}) as post`;
  return (await world.run(reader, sql, Object.values(filters))).map(({ post }) => post as Row);
}

/** The waiting report of a text, as administrators read it. */
export async function textReportOf(world: World, admin: string, content: string) {
  const rows = await reportQueue(world, admin);
  return rows.find(({ snapshot }) => (snapshot as Row)["content"] === content);
}
