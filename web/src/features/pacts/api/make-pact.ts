import type { BackendClient } from "@/lib/backend-client.ts";
import type { PactDraft } from "../model/pact-draft.ts";

export interface NewPact extends PactDraft {
  /** Made by the sender, so that sending it again after a lost answer makes no second one. */
  readonly id: string;
  readonly witnessIds: readonly string[];
}

/** Makes a pact and asks its witnesses, or nothing at all. Throws the database's error. */
export async function makePact(
  client: BackendClient,
  { id, title, content, dueOn, witnessIds }: NewPact,
): Promise<void> {
  const { error } = await client.rpc("make_pact", {
    pact_id: id,
    title,
    content,
    due_on: dueOn,
    witnesses: [...witnessIds],
  });
  if (error) throw error;
}
