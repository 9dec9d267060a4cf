import { randomUUID } from "node:crypto";
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from "@supabase/supabase-js";
import { roomAt } from "../../support/room-at.ts";
import { joinLimitMs, within } from "../within.ts";

export const roomOf = roomAt[1];

interface Author {
  id: string;
  client: SupabaseClient;
}

/** Writes a message as the app does. `error` is undefined once it was taken. */
export async function postTo({
  id: user_id,
  client,
}: Author): Promise<{ id: string; error: string | undefined }> {
  const id = randomUUID();
  const message = { id, user_id, chat_room_id: roomOf, content: "Hello", message_type: "message" };
  const { error } = await client
    .from("chat_messages")
    .insert(message)
    .abortSignal(AbortSignal.timeout(15_000));
  return { id, error: error === null ? undefined : `${error.code}: ${error.message}` };
}

/** A member who reads a room live, and reads what was missed whenever the channel has joined again, as the app does. */
export async function followRoom({ client }: Author) {
  const told: string[] = [];
  const read = new Set<string>();
  const joined = Promise.withResolvers<undefined>();
  const catchUp = async () => {
    const { data } = await client
      .from("chat_messages")
      .select("id")
      .eq("chat_room_id", roomOf)
      .order("created_at", { ascending: false })
      .limit(1000);
    for (const { id } of (data ?? []) as { id: string }[]) read.add(id);
  };
  await client.realtime.setAuth();
  client
    .channel(randomUUID())
    .on(
      "postgres_changes",
      {
        event: "INSERT",
        schema: "public",
        table: "chat_messages",
        filter: `chat_room_id=eq.${roomOf}`,
      },
      (change) => told.push((change.new as { id: string }).id),
    )
    .subscribe((status) => {
      if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return;
      joined.resolve(undefined);
      void catchUp();
    });
  await within(joinLimitMs, "a reader's socket joins", joined.promise);
  return {
    /** Messages that came neither live nor by reading after a gap, and such that came live twice. */
    lost: (ids: readonly string[]): string[] => {
      const missed = ids.filter((id) => !told.includes(id) && !read.has(id)).length;
      const doubled = told.length - new Set(told).size;
      return [
        ...(missed > 0 ? [`${missed} of ${ids.length} messages were missed`] : []),
        ...(doubled > 0 ? [`${doubled} messages were told twice`] : []),
      ];
    },
    has: (id: string) => told.includes(id) || read.has(id),
    close: async () => await client.realtime.disconnect(),
  };
}
