import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

/** The kinds of email that can be switched off. */
export const notificationKinds = ["tips", "reminders"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Whether each kind of email is sent. */
export type NotificationChoices = Readonly<Record<NotificationKind, boolean>>;

const rows = z.array(z.object({ kind: z.enum(notificationKinds), email: z.boolean() }));

/** The member's choices; every kind is on until it is switched off. Throws the database's error. */
export async function fetchNotificationChoices(
  client: BackendClient,
): Promise<NotificationChoices> {
  const { data, error } = await client.from("notification_preferences").select("kind, email");
  if (error) throw error;
  const chosen = new Map(rows.parse(data).map(({ kind, email }) => [kind, email]));
  return { tips: chosen.get("tips") ?? true, reminders: chosen.get("reminders") ?? true };
}

/** Saves one choice. Throws the database's error. */
export async function upsertNotificationChoice(
  client: BackendClient,
  userId: string,
  kind: NotificationKind,
  email: boolean,
): Promise<void> {
  const row = { user_id: userId, kind, email };
  const { error } = await client.from("notification_preferences").upsert(row);
  if (error) throw error;
}
