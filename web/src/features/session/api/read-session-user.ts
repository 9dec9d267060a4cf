import type { BackendClient } from "@/lib/backend-client.ts";

/** Id of the user of the present session, null when there is no session. */
export async function getSessionUserId(client: BackendClient): Promise<string | null> {
  const { data, error } = await client.auth.getSession();
  if (error) throw error;
  return data.session?.user.id ?? null;
}
