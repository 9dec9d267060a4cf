import type { BackendClient } from "@/lib/backend-client.ts";
import type { PactOutcome } from "../model/pact.ts";

/** The submission that tells how a pact went. */
export interface PactReport {
  /** Made by the sender, so that sending it again after a lost answer makes no second one. */
  readonly id: string;
  readonly type: PactOutcome;
  readonly title: string;
  readonly content: string;
  readonly imageUrl: string | null;
  /** Ids of the members whom the text names. */
  readonly mentioned: readonly string[];
}

/** Shares the submission and closes the pact with it, or does neither. Throws the database's error. */
export async function closePact(
  client: BackendClient,
  pactId: string,
  { id, type, title, content, imageUrl, mentioned }: PactReport,
): Promise<void> {
  const { error } = await client.rpc("close_pact", {
    pact_id: pactId,
    outcome_id: id,
    outcome: type,
    title: title.trim(),
    content: content.trim(),
    ...(imageUrl === null ? {} : { image_url: imageUrl }),
    ...(mentioned.length > 0 ? { mentioned: [...mentioned] } : {}),
  });
  if (error) throw error;
}
