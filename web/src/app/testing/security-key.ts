import type { Session } from "@supabase/supabase-js";
import { vi } from "vitest";
import { verifiedSession } from "./second-factor.ts";
import { sessionOf, type Reply } from "./test-app.tsx";

const times = { created_at: "2026-10-01T10:00:00Z", updated_at: "2026-10-01T10:00:00Z" };
export const blueKey = {
  id: "77777777-7777-4777-8777-777777777777",
  factor_type: "webauthn" as const,
  status: "verified" as const,
  friendly_name: "Blue key",
  ...times,
};
export const phoneApp = {
  id: "66666666-6666-4666-8666-666666666666",
  factor_type: "totp" as const,
  status: "verified" as const,
  friendly_name: "Phone",
  ...times,
};
type TestFactor = typeof blueKey | typeof phoneApp;

/** A session of an account with these second factors, of which one was shown in it or none yet. */
export function sessionWith(factors: readonly TestFactor[], isShown: boolean): Session {
  const session = isShown ? verifiedSession() : sessionOf();
  return { ...session, user: { ...session.user, factors: [...factors] } };
}

/** What the auth server answers to the challenge of a key that is to be made, or used. */
export function keyChallenge(type: "create" | "request"): Reply {
  const user = { id: "AAAA", name: "ada@example.com", displayName: "ada@example.com" };
  const publicKey =
    type === "create"
      ? { challenge: "AAAA", rp: { id: "localhost", name: "Fourfold" }, user, pubKeyCredParams: [] }
      : { challenge: "AAAA", rpId: "localhost", allowCredentials: [{ id: "AAAA" }] };
  const webauthn = { type, credential_options: { publicKey } };
  return { body: { id: "challenge", type: "webauthn", expires_at: 0, webauthn } };
}

/** The browser's answer, which the client sends as JSON. */
const credential = { toJSON: () => ({ id: "AAAA", type: "public-key" }) };

/** Lets a stand-in make and use keys in place of jsdom, which knows none. */
export function standInForKeys() {
  vi.stubGlobal("PublicKeyCredential", Object);
  const ask = vi.fn<() => Promise<unknown>>().mockResolvedValue(credential);
  Object.defineProperty(navigator, "credentials", {
    configurable: true,
    value: { create: ask, get: ask },
  });
  return { ask };
}

export function removeStandIn(): void {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "credentials");
}

/** What the browser says after turning back, waiting too long, or without such a key. */
export function turnedBack(): DOMException {
  return new DOMException("The operation timed out or was not allowed.", "NotAllowedError");
}
