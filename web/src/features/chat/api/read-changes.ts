import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { MessageRow } from "../model/message.ts";
import { pageRow, rowFromPage } from "./message-row.ts";

const size = 100;
/** With more pages of changes than this, the room is opened again instead. */
const maxPages = 10;

/**
 * Reads what was written, edited, deleted or liked in a room since a change, that change and a
 * few seconds before it included. Null when it is too much to catch up with. Throws the
 * database's error.
 */
export async function readChanges(
  client: BackendClient,
  roomId: string,
  since: string,
): Promise<readonly MessageRow[] | null> {
  const rows: MessageRow[] = [];
  let from: { readonly since: string; readonly after_id?: string } = { since };
  for (let page = 0; page < maxPages; page += 1) {
    const { data, error } = await client.rpc("room_changes_since", {
      room_id: roomId,
      ...from,
      page_size: size,
    });
    if (error) throw error;
    const answer = data;
    const found = z.array(pageRow).parse(answer);
    rows.push(...found.map(rowFromPage));
    const last = found.at(-1);
    if (!last || found.length < size) return rows;
    from = { since: last.changed_at, after_id: last.id };
  }
  return null;
}
