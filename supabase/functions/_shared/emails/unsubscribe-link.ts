import { secretKey, serviceRoleKeys } from "../api-keys.ts";
import { requireEnv, type Deps } from "../deps.ts";

/** Kinds of e-mail that a member may switch off. */
const kinds = ["tips", "reminders", "digest"] as const;

/** Whose e-mails of which kind a link switches off. */
export interface UnsubscribeLink {
  readonly userId: string;
  readonly kind: (typeof kinds)[number];
}

const algorithm = { name: "HMAC", hash: "SHA-256" };
const tokenPattern =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(tips|reminders|digest)\.([0-9a-f]{64})$/;

async function signingKey(apiKey: string): Promise<CryptoKey> {
  const raw = new TextEncoder().encode(`unsubscribe link:${apiKey}`);
  return await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign", "verify"]);
}

function bytesOf({ userId, kind }: UnsubscribeLink): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${userId}.${kind}`);
}

/**
 * The address that switches off the e-mails of a kind, as `List-Unsubscribe` names it; null for kinds that can't be
 * switched off.
 */
export async function unsubscribeAddress(
  deps: Deps,
  userId: string,
  kind: string | null,
): Promise<string | null> {
  const known = kinds.find((one) => one === kind);
  if (known === undefined) return null;
  const link = { userId, kind: known };
  const signature = await crypto.subtle.sign(
    "HMAC",
    await signingKey(secretKey(deps)),
    bytesOf(link),
  );
  const hex = [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0"));
  const base =
    deps.env["PUBLIC_FUNCTIONS_URL"] ?? `${requireEnv(deps, "SUPABASE_URL")}/functions/v1`;
  return `${base}/unsubscribe?token=${userId}.${known}.${hex.join("")}`;
}

/** What the token of a link stands for; null for one that we did not sign. */
export async function readUnsubscribeToken(
  deps: Deps,
  token: string,
): Promise<UnsubscribeLink | null> {
  const [, userId = "", named = "", hex = ""] = tokenPattern.exec(token) ?? [];
  const kind = kinds.find((one) => one === named);
  if (kind === undefined) return null;
  const link = { userId, kind };
  const signature = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  // With every key of the server role: the link may be older than the key that signs today.
  const checks = serviceRoleKeys(deps).map(
    async (apiKey) =>
      await crypto.subtle.verify("HMAC", await signingKey(apiKey), signature, bytesOf(link)),
  );
  const isOurs = (await Promise.all(checks)).includes(true);
  return isOurs ? link : null;
}
