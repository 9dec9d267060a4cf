import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import type { Refusal } from "@/lib/refusal.ts";

/**
 * Deletes the signed-in account for good. Without a password it works a few minutes after a sign-in at a provider.
 * Never throws: null, or why it did not work.
 */
export async function deleteAccount(
  client: BackendClient,
  password: string | null,
): Promise<Refusal<"failed"> | null> {
  const { status, body } = await callFunction(client, "delete-my-account", {
    ...(password !== null && { password }),
  });
  if (status === 200) return null;
  const message = textOf(body, "error");
  return message === "" ? { code: "failed" } : { message };
}
