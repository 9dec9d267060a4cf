import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";
import type { MessageRow } from "../model/message.ts";
import { pageRow, rowFromPage } from "./message-row.ts";

/** How many messages one page of the history has. */
export const pageSize = 50;

/** Where a message stands in its room. */
export interface MessageCursor {
  readonly createdAtRaw: string;
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
  before?: MessageCursor,
): Promise<HistoryPage> {
  const answer = await callProcedure(client, "room_page", {
    room_id: roomId,
    before_created_at: before?.createdAtRaw ?? null,
    before_id: before?.id ?? null,
    page_size: pageSize,
  });
  const rows = z.array(pageRow).parse(answer);
  return { rows: rows.map(rowFromPage).toReversed(), hasOlder: rows.length === pageSize };
}
