import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { knownOr } from "@/domain/known-items.ts";

/** Who may write to a member: every member, mentors and whom one wrote to, or nobody. */
export const messageChoices = ["everyone", "known", "nobody"] as const;
export type MessageChoice = (typeof messageChoices)[number];

const schema = knownOr(z.nullable(z.object({ accepts: z.enum(messageChoices) })), null);

/** What the member has chosen; every member until then. Throws the database's error. */
export async function fetchMessageChoice(client: BackendClient): Promise<MessageChoice> {
  const { data, error } = await client.from("message_choices").select("accepts").maybeSingle();
  if (error) throw error;
  return schema.parse(data)?.accepts ?? "everyone";
}

/** Saves who may write to the member. Throws the database's error. */
export async function saveMessageChoice(
  client: BackendClient,
  accepts: MessageChoice,
): Promise<void> {
  const { error } = await client.rpc("set_message_choice", { accepts });
  if (error) throw error;
}
