import type { SupabaseClient } from "@supabase/supabase-js";
import type { BackendClient } from "./backend-client.ts";

/**
 * Calls a procedure of the database. The answer is unknown on purpose: the caller checks its
 * shape where it enters the app. Throws the database's error.
 */
export async function callProcedure(
  client: BackendClient,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const untyped = client as unknown as SupabaseClient;
  const { data, error } = await untyped.rpc(name, args);
  if (error) throw error;
  return data as unknown;
}
