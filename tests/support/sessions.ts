import type { SupabaseClient } from "@supabase/supabase-js";
import { anonymous, testPassword, type Account } from "./clients.ts";

/** Another client of the same account, signed in with its password only. */
export async function signInAgain({ email }: Pick<Account, "email">): Promise<SupabaseClient> {
  const client = anonymous();
  const { error } = await client.auth.signInWithPassword({ email, password: testPassword });
  if (error) throw error;
  return client;
}

/** Status and code of the error of a call; both undefined when it succeeded. */
export function errorOf({ error }: { error: unknown }): [status: unknown, code: unknown] {
  const { status, code } = (error ?? {}) as { status?: number; code?: string };
  return [status, code];
}

/** The request header that carries the session's access token. */
export async function headersOf(client: SupabaseClient): Promise<Record<string, string>> {
  const { data } = await client.auth.getSession();
  return { authorization: `Bearer ${data.session?.access_token ?? ""}` };
}
