import { useCallback } from "react";
import { useBackend } from "@/lib/backend.tsx";
import { browserStorage } from "@/lib/browser-storage.ts";
import { systemClock } from "@/lib/clock.ts";
import { clearAuthState } from "./api/clear-auth-state.ts";

/** Returns what forgets the session on this device, whatever state it is in. */
export function useClearAuthState(): () => Promise<void> {
  const { client } = useBackend();
  return useCallback(() => clearAuthState(client, systemClock, browserStorage), [client]);
}
