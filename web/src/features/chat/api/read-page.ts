import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";
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
  const answer = await callProcedure(client, "room_page", {
    room_id: roomId,
    before_created_at: before?.createdAtRaw ?? null,
    before_id: before?.id ?? null,
    page_size: pageSize,
  });
  const rows = z.array(pageRow).parse(answer);
  return { rows: rows.map(rowFromPage).toReversed(), hasOlder: rows.length === pageSize };
}
