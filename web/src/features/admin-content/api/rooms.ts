import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** A chat room as an administrator sees it. */
export interface ContentRoom {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly minLevel: number;
  /** Place among the rooms of its level. */
  readonly order: number;
  readonly isActive: boolean;
  readonly participants: number;
}

/** What an administrator may set of a room. */
export type RoomFields = Pick<ContentRoom, "name" | "description" | "minLevel" | "order">;

const rows = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    min_level_required: z.number(),
    display_order: z.number(),
    is_active: z.boolean(),
    participant_count: z.number(),
  }),
);

/** Reads all rooms, by level and order. Throws the database's error. */
export async function fetchContentRooms(client: BackendClient): Promise<readonly ContentRoom[]> {
  const { data, error } = await client.rpc("admin_rooms");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    minLevel: row.min_level_required,
    order: row.display_order,
    isActive: row.is_active,
    participants: row.participant_count,
  }));
}

function columnsOf({ name, description, minLevel, order }: Partial<RoomFields>) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(minLevel === undefined ? {} : { min_level_required: minLevel }),
    ...(order === undefined ? {} : { display_order: order }),
  };
}

/** Creates a room. Throws the database's error. */
export async function createContentRoom(
  client: BackendClient,
  id: string,
  fields: RoomFields,
): Promise<void> {
  const { error } = await client.rpc("create_room", {
    room_id: id,
    name: fields.name,
    min_level_required: fields.minLevel,
    description: fields.description,
    display_order: fields.order,
  });
  if (error) throw error;
}

/** Changes these fields of a room. Throws the database's error. */
export async function editContentRoom(
  client: BackendClient,
  id: string,
  changes: Partial<RoomFields> & { readonly isActive?: boolean },
): Promise<void> {
  const { isActive, ...fields } = changes;
  const { error } = await client.rpc("edit_room", {
    room_id: id,
    ...columnsOf(fields),
    ...(isActive === undefined ? {} : { is_active: isActive }),
  });
  if (error) throw error;
}
