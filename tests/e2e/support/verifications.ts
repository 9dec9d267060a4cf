import { onePixelPng } from "../../../tools/demo/join.ts";
import type { Account } from "./accounts.ts";

/** Sends an identity document with the calls the app makes; answers with the id of its review. */
export async function sendDocument({ id, client }: Account): Promise<string> {
  const document = `${id}-verification-${Date.now()}.png`;
  const stored = await client.storage
    .from("verification-documents")
    .upload(document, onePixelPng, { contentType: "image/png" });
  if (stored.error) throw stored.error;
  const { error } = await client.from("user_verifications").insert({
    user_id: id,
    document_type: "passport",
    document_url: document,
    status: "pending",
  });
  if (error) throw new Error(error.message);
  const { data } = await client
    .from("user_verifications")
    .select("id")
    .eq("document_url", document)
    .single<{ id: string }>();
  return data?.id ?? "";
}

/** An administrator's decision; a reason makes it a rejection. */
export async function decideVerification(
  admin: Account,
  document: string,
  reason?: string,
): Promise<void> {
  const queue = await admin.client.rpc("verification_queue");
  const waiting = (queue.data as { id: string; document_version: string | null }[] | null)?.find(
    ({ id }) => id === document,
  );
  if (reason === undefined) {
    const opening = { verification_id: document };
    const opened = await admin.client.rpc("open_verification_document", opening);
    if (opened.error) throw new Error(opened.error.message);
  }
  const { error } = await admin.client.rpc("review_verification", {
    verification_id: document,
    document_version: waiting?.document_version ?? null,
    decision: reason === undefined ? "approved" : "rejected",
    reason: reason ?? null,
  });
  if (error) throw new Error(error.message);
}

/** Sends documents that are all rejected, one after the other. */
export async function sendAndRejectDocuments(
  account: Account,
  admin: Account,
  times: number,
): Promise<void> {
  for (let attempt = 1; attempt <= times; attempt += 1) {
    await decideVerification(
      admin,
      await sendDocument(account),
      `Attempt ${attempt} is too dark to read.`,
    );
  }
}
