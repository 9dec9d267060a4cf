import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction, textOf } from "@/lib/call-function.ts";
import { deleteAccountStrings } from "../strings.ts";

/** Deletes the signed-in account for good. Never throws: null, or why it did not work. */
export async function deleteAccount(
  client: BackendClient,
  password: string,
): Promise<string | null> {
  const { status, body } = await callFunction(client, "delete-my-account", { password });
  if (status === 200) return null;
  return textOf(body, "error") || deleteAccountStrings.failed;
}
