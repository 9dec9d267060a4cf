import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { RoomOverview } from "../model/room.ts";
import { nameOf } from "./message-row.ts";

const rows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.nullish(z.string()),
    min_level_required: z.number(),
    participant_count: z.number(),
    unread_count: z.number(),
    last_message_at: z.nullish(z.string()),
    last_message: z.nullish(z.string()),
    last_author_id: z.nullish(z.string()),
    last_author: z.nullish(z.string()),
    faces: z.nullish(
      z.array(z.object({ id: z.string(), name: z.string(), avatar_url: z.nullish(z.string()) })),
    ),
  }),
);

/** Reads every active room in one request, by level and name. Throws the database's error. */
export async function fetchRooms(client: BackendClient): Promise<readonly RoomOverview[]> {
  const { data, error } = await client.rpc("chat_room_overview");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description ?? "",
    minLevel: row.min_level_required,
    participants: row.participant_count,
    unread: row.unread_count,
    faces: (row.faces ?? []).map(({ id, name, avatar_url }) => ({
      id,
      name: nameOf(name),
      avatarUrl: avatar_url ?? null,
    })),
    lastMessageAt: row.last_message_at ? Date.parse(row.last_message_at) : null,
    lastLine: row.last_author_id
      ? {
          authorId: row.last_author_id,
          author: nameOf(row.last_author),
          text: row.last_message ?? "",
        }
      : null,
  }));
}
