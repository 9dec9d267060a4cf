import * as z from "zod/mini";
import { toRole, type Role } from "@/domain/roles.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { nameOf } from "./message-row.ts";

/** A message that members have reported. */
export interface MessageReport {
  readonly id: number;
  readonly messageId: string;
  readonly roomId: string;
  readonly roomName: string;
  /** As it is now; empty when its author has deleted it. */
  readonly content: string;
  /** As it was when it was first reported. */
  readonly reportedContent: string;
  /** Name of the picture it had then. */
  readonly reportedPicture: string | null;
  readonly reportedPictureAlt: string;
  readonly author: string;
  readonly role: Role;
  readonly reports: number;
  readonly reasons: readonly string[];
  /** Epoch milliseconds. */
  readonly reportedAt: number;
}

const text = z.nullish(z.string());
const rows = z.array(
  z.object({
    report_id: z.number(),
    message_id: z.string(),
    chat_room_id: z.string(),
    room_name: z.string(),
    content: z.string(),
    reported_content: text,
    reported_picture: text,
    reported_picture_alt: text,
    author_first_name: text,
    author_last_name: text,
    author_role: text,
    reports: z.number(),
    reasons: z.array(z.string()),
    first_reported_at: z.string(),
  }),
);

/** Reads the open reports, oldest first. Administrators only. Throws the database's error. */
export async function fetchReports(client: BackendClient): Promise<readonly MessageReport[]> {
  const { data, error } = await client.rpc("message_report_queue");
  if (error) throw error;
  return rows.parse(data).map((row) => ({
    id: row.report_id,
    messageId: row.message_id,
    roomId: row.chat_room_id,
    roomName: row.room_name,
    content: row.content,
    reportedContent: row.reported_content ?? row.content,
    reportedPicture: row.reported_picture ?? null,
    reportedPictureAlt: row.reported_picture_alt ?? "",
    author: nameOf([row.author_first_name, row.author_last_name].filter(Boolean).join(" ")),
    role: toRole(row.author_role),
    reports: row.reports,
    reasons: row.reasons,
    reportedAt: Date.parse(row.first_reported_at),
  }));
}
