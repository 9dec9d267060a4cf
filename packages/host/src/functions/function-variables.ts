// The variables that every function finds, with the names of hosted Supabase.

import type { HostContext } from "../context.ts";

/** What every function finds in its environment, as on hosted Supabase. */
export function functionVariables({ localUrl, keys }: HostContext): Record<string, string> {
  return {
    SUPABASE_URL: localUrl,
    SUPABASE_ANON_KEY: keys.api.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.api.serviceRoleKey,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.api.publishableKey }),
    // Schedules and links made with the previous key are still accepted while it is being rotated.
    SUPABASE_SECRET_KEYS: JSON.stringify({
      default: keys.api.secretKey,
      previous: keys.previousSecretKey,
    }),
    SUPABASE_JWKS: JSON.stringify({ keys: keys.publicJwks }),
  };
}
