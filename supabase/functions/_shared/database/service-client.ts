import { createClient } from "@supabase/supabase-js";
import type { DatabaseClient } from "./database-client.ts";
import { secretKey } from "../api-keys.ts";
import { requireEnv, type Deps } from "../deps.ts";

/** The official client with the server role's key. It bypasses row-level security. */
export function serviceClient(deps: Deps): DatabaseClient {
  return createClient(requireEnv(deps, "SUPABASE_URL"), secretKey(deps), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
}
