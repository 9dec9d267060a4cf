import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownOr } from "@/domain/known-items.ts";

/** The kinds of email that can be switched off. */
export const emailKinds = ["tips", "reminders"] as const;
export type OptionalEmail = (typeof emailKinds)[number];

/** What notifications are about, in the order of the list. */
export const topics = [
  "rooms",
  "messages",
  "submissions",
  "pacts",
  "learning",
  "progress",
  "account",
] as const;
export type Topic = (typeof topics)[number];

/** Where a member can be told. `email` is the digest for a topic, and the email itself for a kind of email. */
export const channels = ["bell", "email", "push"] as const;
export type NotificationChannel = (typeof channels)[number];

export const digestFrequencies = ["weekly", "daily", "off"] as const;
export type DigestFrequency = (typeof digestFrequencies)[number];

/** A box of the form: a kind of email or a topic, and a channel. */
export interface ChoiceName {
  readonly kind: OptionalEmail | Topic;
  readonly channel: NotificationChannel;
}

/** What the member switched off, and how often the digest comes. */
export interface NotificationChoices {
  /** Names of boxes, as `choiceId` makes them. */
  readonly off: ReadonlySet<string>;
  readonly digest: DigestFrequency;
}

/** The name of a box as one string. */
export function choiceId({ kind, channel }: ChoiceName): string {
  return `${kind}/${channel}`;
}

const rows = z.array(
  z.object({ kind: z.string(), bell: z.boolean(), email: z.boolean(), push: z.boolean() }),
);
const digestRow = knownOr(z.nullable(z.object({ frequency: z.enum(digestFrequencies) })), null);

/** The member's choices; everything is on until it is switched off. Throws the database's error. */
export async function fetchNotificationChoices(
  client: BackendClient,
): Promise<NotificationChoices> {
  const [preferences, digest] = await Promise.all([
    client.from("notification_preferences").select("kind, bell, email, push"),
    client.from("digest_choices").select("frequency").maybeSingle(),
  ]);
  if (preferences.error) throw preferences.error;
  if (digest.error) throw digest.error;
  const off = rows
    .parse(preferences.data)
    .flatMap((row) =>
      channels.filter((channel) => !row[channel]).map((channel) => `${row.kind}/${channel}`),
    );
  return {
    off: new Set(off),
    digest: digestRow.parse(digest.data)?.frequency ?? "weekly",
  };
}

/** Saves one choice. Throws the database's error. */
export async function upsertNotificationChoice(
  client: BackendClient,
  userId: string,
  { kind, channel }: ChoiceName,
  isOn: boolean,
): Promise<void> {
  // Only this column: the other choices of the row stay as they are.
  const choice: { bell?: boolean; email?: boolean; push?: boolean } = { [channel]: isOn };
  const row = { user_id: userId, kind, ...choice };
  const { error } = await client.from("notification_preferences").upsert(row);
  if (error) throw error;
}

/** Saves how often the digest comes. Throws the database's error. */
export async function upsertDigestChoice(
  client: BackendClient,
  userId: string,
  frequency: DigestFrequency,
): Promise<void> {
  const row = { user_id: userId, frequency };
  const { error } = await client.from("digest_choices").upsert(row);
  if (error) throw error;
}
