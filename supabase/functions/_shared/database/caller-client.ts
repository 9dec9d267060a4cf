import { createClient } from "@supabase/supabase-js";
import type { DatabaseClient } from "./database-client.ts";
import { publishableKey } from "../api-keys.ts";
import { requireEnv, type Deps } from "../deps.ts";

/** The official client with the permissions of the token's account. */
export function callerClient(deps: Deps, token: string): DatabaseClient {
  return createClient(requireEnv(deps, "SUPABASE_URL"), publishableKey(deps), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { headers: { authorization: `Bearer ${token}` } },
  });
}
