import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * The signed-in user's e-mail address as the server has it now. The session in the browser repeats
 * the address of its last renewal. Throws the server's error.
 */
export async function readEmail(client: BackendClient): Promise<string> {
  const { data, error } = await client.auth.getUser();
  if (error) throw error;
  return data.user.email ?? "";
}
