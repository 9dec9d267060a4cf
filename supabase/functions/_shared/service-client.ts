import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { setting, type Deps } from "./deps.ts";

/** The official client as the server role. It keeps no session and is never given to a caller. */
export function serviceClient(deps: Deps): SupabaseClient {
  return createClient(setting(deps, "SUPABASE_URL"), setting(deps, "SUPABASE_SERVICE_ROLE_KEY"), {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  });
}
