import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { MessageRow } from "../model/message.ts";
import { pageRow, rowFromPage } from "./message-row.ts";

/** How many messages one page of the history has. */
export const pageSize = 50;

/** Where a message stands in its room. */
export interface Place {
  readonly stamp: string;
  readonly id: string;
}

/** One page, oldest first. */
export interface HistoryPage {
  readonly rows: readonly MessageRow[];
  readonly hasOlder: boolean;
}

/** Reads the newest messages of a room, or those before a place. Throws the database's error. */
export async function readPage(
  client: BackendClient,
  roomId: string,
  before?: Place,
): Promise<HistoryPage> {
  const { data, error } = await client.rpc("room_page", {
    room_id: roomId,
    ...(before && { before_created_at: before.stamp, before_id: before.id }),
    page_size: pageSize,
  });
  if (error) throw error;
  const answer = data;
  const rows = z.array(pageRow).parse(answer);
  return { rows: rows.map(rowFromPage).toReversed(), hasOlder: rows.length === pageSize };
}
