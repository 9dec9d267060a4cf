import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";

/** A member who is signed in, has paid and finished onboarding. */
export interface SimulatedMember {
  id: string;
  client: SupabaseClient;
}

type Answer = PromiseLike<{ error: unknown }>;

async function check(answers: readonly Answer[]): Promise<number> {
  for (const { error } of await Promise.all(answers)) {
    if (error !== null) throw new Error("a request of the day was refused", { cause: error });
  }
  return answers.length;
}

/** What the app asks for when it is opened: who may come in, the frame, and Home. */
async function openHome({ id, client }: SimulatedMember): Promise<number> {
  return await check([
    client.from("profiles").select("*").eq("id", id).maybeSingle(),
    client.from("user_levels").select("current_level, unlocked_levels").eq("user_id", id),
    client.from("stripe_customers").select("customer_id").eq("user_id", id).is("deleted_at", null),
    client.from("stripe_subscriptions").select("*").is("deleted_at", null),
    client.from("user_progress").select("*").eq("user_id", id),
    client.from("level_requirements").select("level, kind, category, needed"),
    client.rpc("my_notifications"),
    client.rpc("unread_rooms"),
    client.rpc("unread_conversations"),
    client.rpc("dashboard_figures"),
    client.rpc("my_today"),
  ]);
}

/** Reads a room, and writes a message in it. */
async function talk({ id, client }: SimulatedMember, room: string): Promise<number> {
  const read = await check([
    client.rpc("chat_room_overview"),
    client.rpc("effective_level"),
    client.rpc("room_pins", { room_id: room }),
    client.rpc("room_page", { room_id: room, page_size: 50 }),
    client.rpc("increment_participant_count", { room_id: room }),
  ]);
  const message = {
    id: randomUUID(),
    user_id: id,
    chat_room_id: room,
    content:
      "I rang three people who had asked for a price, and two of them booked a day in March.",
    message_type: "message",
  };
  const wrote = await check([
    client.from("chat_messages").insert(message).select("id, created_at").single(),
    client.rpc("notify_typing", { room_id: room }),
  ]);
  const left = await check([
    client.rpc("mark_room_read", { room_id: room, up_to: new Date().toISOString() }),
    client.rpc("decrement_participant_count", { room_id: room }),
  ]);
  return read + wrote + left;
}

/** Likes what others wrote last. */
async function like({ id, client }: SimulatedMember, room: string, count: number): Promise<number> {
  const { data, error } = await client
    .from("chat_messages")
    .select("id")
    .eq("chat_room_id", room)
    .neq("user_id", id)
    .order("created_at", { ascending: false })
    .limit(count);
  if (error) throw new Error("the messages could not be read", { cause: error });
  const likes = data.map(({ id: messageId }: { id: string }) =>
    client.from("message_likes").insert({ message_id: messageId, user_id: id }),
  );
  return 1 + (await check(likes));
}

/** Looks at the library, and reads an article to its end. */
async function read({ id, client }: SimulatedMember, articleId: string): Promise<number> {
  const articles = () => client.from("articles");
  const looked = await check([
    client.rpc("category_home", { category: "general", shelf: "articles" }),
    articles().select("*").eq("id", articleId).maybeSingle(),
  ]);
  // The database counts an opening itself; the number says only that there was one.
  const opened = await check([
    articles().update({ read_count: 1, opened_from: "home" }).eq("id", articleId),
  ]);
  const ended = await check([
    client.from("article_reads").insert({ user_id: id, article_id: articleId }),
  ]);
  return looked + opened + ended;
}

/**
 * A day of a member who comes: opens the app twice, talks in two rooms, likes three messages and reads an article.
 * @returns how many requests it took.
 */
export async function liveDay(
  member: SimulatedMember,
  { rooms, articleId }: { rooms: readonly string[]; articleId: string },
): Promise<number> {
  let requests = await openHome(member);
  for (const room of rooms) requests += await talk(member, room);
  requests += await like(member, rooms[0] ?? "", 3);
  requests += await read(member, articleId);
  return requests + (await openHome(member));
}
