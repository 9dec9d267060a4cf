import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "@/database.types.ts";
import { browserStorage } from "./browser-storage.ts";
import type { BackendConfig } from "./config.ts";
import { systemClock } from "./clock.ts";
import { mockClientCode } from "./error-codes.ts";
import { createOwnWritesFetch } from "./own-writes.ts";
import { createRetryingFetch } from "./retrying-fetch.ts";
import { handleSessionError } from "./session-errors.ts";

export type BackendClient = SupabaseClient<Database>;

/** What the stand-in client says to everything. */
export const mockClientMessage =
  "The backend is not configured. Set the backend's address and public key, then reload this page.";

/**
 * The official client. The session lives in local storage, or in this tab where the browser stores nothing. It is detected from the address by PKCE alone: a link
 * brings a code, and only the browser that asked for the link holds the verifier that turns it into a session.
 * Tokens in the address are passed over: an attacker could put their own there.
 */
export function createBackendClient(config: BackendConfig): BackendClient {
  const ownWritesFetch = createOwnWritesFetch((input, init) => fetch(input, init), systemClock);
  const retryingFetch = createRetryingFetch(ownWritesFetch, systemClock);
  const client: BackendClient = createClient<Database>(config.supabaseUrl, config.supabaseAnonKey, {
    auth: {
      persistSession: true,
      storage: browserStorage,
      autoRefreshToken: true,
      flowType: "pkce",
      // Asked about tokens and errors in the address; codes are looked at whatever it says.
      detectSessionInUrl: () => false,
    },
    // Retries are decided in one place, which knows the members' own acts from the app's questions.
    db: { retry: false },
    global: {
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const response = await retryingFetch(input, init);
        const authorization = new Headers(init?.headers).get("authorization");
        void handleSessionError(client.auth, authorization, response);
        return response;
      },
    },
  });
  return client;
}

/**
 * A client that opens the link of an e-mail and keeps nothing: whose session the link begins is known only afterwards,
 * and must not replace the one of this browser before it was looked at.
 */
export function createLinkClient(config: BackendConfig): BackendClient {
  return createClient<Database>(config.supabaseUrl, config.supabaseAnonKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: "link",
    },
  });
}

/**
 * The stand-in for "no backend": the official client again, over a network that answers every
 * request with code `MOCK_CLIENT`. So each call fails in the very shape its caller expects.
 */
export function createStandInClient(): BackendClient {
  return createClient<Database>("http://backend.invalid", "not-configured", {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    db: { retry: false },
    global: { fetch: () => Promise.resolve(mockClientAnswer()) },
    realtime: { transport: SilentSocket as unknown as typeof WebSocket },
  });
}

function mockClientAnswer(): Response {
  return Response.json(
    { code: mockClientCode, error_code: mockClientCode, message: mockClientMessage },
    { status: 400, headers: { "x-supabase-api-version": "2024-01-01" } },
  );
}

/** A socket that never opens; subscribing without a backend waits quietly instead of failing. */
class SilentSocket extends EventTarget {
  readonly readyState = 0;
  readonly binaryType = "arraybuffer";
  send(): void {
    // Nothing listens.
  }
  close(): void {
    // It was never open.
  }
}
