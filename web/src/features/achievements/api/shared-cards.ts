import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction } from "@/lib/call-function.ts";
import { sharedCardSchema, type SharedCard, type ShareSubject } from "../model/shared-card.ts";

/** Makes a card public and returns its code. Throws the database's error. */
export async function shareCard(client: BackendClient, subject: ShareSubject): Promise<string> {
  const { data, error } = await client.rpc(
    "share_card",
    "achievement" in subject
      ? { achievement: subject.achievement }
      : { certificate_id: subject.certificateId },
  );
  if (error) throw error;
  return data;
}

/** Takes a card back. Throws the database's error. */
export async function stopSharing(client: BackendClient, code: string): Promise<void> {
  const { error } = await client.rpc("stop_sharing", { code });
  if (error) throw error;
}

/** The words and the picture of a shared card; both null for an unknown code. Throws when there is no answer. */
export async function fetchSharedCard(client: BackendClient, code: string): Promise<SharedCard> {
  const { status, body } = await callFunction(client, "shared-card", { code });
  if (status === 400) return { card: null, svg: null };
  if (status !== 200) throw new Error(`shared-card answered ${status}`);
  return sharedCardSchema.parse(body);
}
