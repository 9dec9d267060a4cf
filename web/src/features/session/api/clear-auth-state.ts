import type { BackendClient } from "@/lib/backend-client.ts";
import type { BrowserStorage } from "@/lib/browser-storage.ts";
import { withTimeout, type Clock } from "@/lib/clock.ts";

const timeoutMs = 2000;

/**
 * Forgets the session on this device whatever state it is in: signs out if the server answers in
 * time, then removes what the client stored.
 */
export async function clearAuthState(
  client: BackendClient,
  clock: Clock,
  storage: BrowserStorage,
): Promise<void> {
  await withTimeout(clock, timeoutMs, client.auth.signOut({ scope: "local" })).catch(
    () => undefined,
  );
  for (const key of storage.keys()) {
    if (/^sb-.*-auth-token/.test(key)) storage.removeItem(key);
  }
}
