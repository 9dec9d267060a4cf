import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { MessageCursor, MessageRow } from "../model/message.ts";
import { pageRow, rowFromPage } from "./message-row.ts";

/** Messages on a page of the history. */
export const pageSize = 50;

/** A page of the history, oldest first. */
export interface HistoryPage {
  readonly rows: readonly MessageRow[];
  readonly hasOlder: boolean;
}

/** Reads the newest messages of a room, or those before a cursor. Throws the database's error. */
export async function readPage(
  client: BackendClient,
  roomId: string,
  before?: MessageCursor,
): Promise<HistoryPage> {
  const { data, error } = await client.rpc("room_page", {
    room_id: roomId,
    ...(before && { before_created_at: before.createdAtRaw, before_id: before.id }),
    page_size: pageSize,
  });
  if (error) throw error;
  const answer = data;
  const rows = z.array(pageRow).parse(answer);
  return { rows: rows.map(rowFromPage).toReversed(), hasOlder: rows.length === pageSize };
}
