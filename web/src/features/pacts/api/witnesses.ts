import type { BackendClient } from "@/lib/backend-client.ts";

/** Asks members to witness a pact of the caller. Throws the database's error. */
export async function askWitnesses(
  client: BackendClient,
  pactId: string,
  memberIds: readonly string[],
): Promise<void> {
  const { error } = await client.rpc("ask_witnesses", {
    pact_id: pactId,
    witnesses: [...memberIds],
  });
  if (error) throw error;
}

/** Accepts or declines to witness a pact. Throws the database's error. */
export async function answerWitness(
  client: BackendClient,
  pactId: string,
  accepts: boolean,
): Promise<void> {
  const { error } = await client.rpc("answer_witness", { pact_id: pactId, accepts });
  if (error) throw error;
}
