import { sessionOf, type Reply } from "./test-app.tsx";

const enrolledAt = "2026-11-01T10:00:00Z";

/** A session that has shown the code of an authenticator app. */
export function verifiedSession() {
  const session = sessionOf();
  const [header, claims = "", signature] = session.access_token.split(".");
  const shown = btoa(JSON.stringify({ ...(JSON.parse(atob(claims)) as object), aal: "aal2" }));
  const factor = {
    id: "66666666-6666-4666-8666-666666666666",
    factor_type: "totp" as const,
    status: "verified" as const,
    friendly_name: "Phone",
    created_at: enrolledAt,
    updated_at: enrolledAt,
  };
  return {
    ...session,
    access_token: `${header}.${shown}.${signature}`,
    user: { ...session.user, factors: [factor] },
  };
}

/** Answers a challenge and its code, of which 123456 is right; undefined for any other call. */
export function answerCode(call: string, body: unknown): Reply | undefined {
  if (call.endsWith("/challenge")) return { body: { id: "challenge", expires_at: 0 } };
  if (!call.endsWith("/verify")) return undefined;
  if ((body as { code: string }).code === "123456") return { body: verifiedSession() };
  const wrong = { error_code: "mfa_verification_failed", msg: "Invalid TOTP code entered" };
  return { status: 422, body: wrong };
}
