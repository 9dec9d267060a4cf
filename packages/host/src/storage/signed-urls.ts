// Tokens in signed URLs: how they are signed and verified, and the signer's identity encrypted in them.

import { CompactEncrypt, compactDecrypt } from "jose";
import { z } from "zod";
import { InvalidToken, type Caller } from "../keys.ts";
import type { HostContext } from "../context.ts";
import { storageErrors } from "./storage-errors.ts";
import { isUuid } from "../uuid.ts";

/** What a signed URL may be used for. */
export type SignedUrlScope = "download" | "upload";

const claims = z.object({
  url: z.string(),
  scope: z.enum(["download", "upload"]),
  iat: z.number().optional(),
  exp: z.number(),
  upsert: z.boolean().optional(),
  /** What a link to a transformed image shows, as text of `transformText`. */
  transformations: z.string().optional(),
  /** The caller who signed it, encrypted by `encryptCaller`. */
  caller: z.string().optional(),
});

/** The verified claims of a signed URL. */
export type SignedUrl = z.output<typeof claims>;

/** Seconds for which a download URL of a private bucket may be valid. */
export const maxPrivateLinkS = 3600;

/** Signs a URL for one object and one scope, valid for `seconds` from now. */
export async function signUrl(
  context: HostContext,
  link: Omit<SignedUrl, "iat" | "exp">,
  seconds: number,
): Promise<string> {
  const now = Math.floor(context.now() / 1000);
  return await context.keys.signUrlToken({ ...link, iat: now, exp: now + seconds });
}

/**
 * Verifies a signed URL's signature, expiry, scope and object.
 * @throws {StorageError}
 */
export async function verifySignedUrl(
  context: HostContext,
  token: string | undefined,
  scope: SignedUrlScope,
  path: string | undefined,
): Promise<SignedUrl> {
  if (!token) throw storageErrors.invalidRequest("querystring must have required property 'token'");
  let parsed;
  try {
    parsed = claims.safeParse(await context.keys.verifySignedUrl(token));
  } catch (error) {
    if (error instanceof InvalidToken) throw storageErrors.invalidJwt(error.message);
    throw error;
  }
  if (!parsed.success || parsed.data.scope !== scope) {
    throw storageErrors.invalidSignature(`Token is not scoped for ${scope}`);
  }
  if (path !== undefined && parsed.data.url !== path) throw storageErrors.invalidSignature();
  return parsed.data;
}

/**
 * The same for the token of an upload link whose object is named elsewhere; the caller compares it with `url`.
 * @throws {StorageError}
 */
export async function verifySignedUpload(
  context: HostContext,
  token: string | undefined,
): Promise<SignedUrl> {
  if (!token) throw storageErrors.invalidSignature("Missing x-signature header");
  return await verifySignedUrl(context, token, "upload", undefined);
}

const encryptedCaller = z.object({ role: z.string(), claims: z.record(z.string(), z.unknown()) });

const encryptionPurpose = "storage upload link";

function encryptionKey(derived: string): Uint8Array {
  return Buffer.from(derived, "base64url");
}

/**
 * Encrypts the caller's role and claims for a signed URL. The policies need all claims when the URL is used, and the
 * claims hold an e-mail address that other holders of the URL must not see.
 */
export async function encryptCaller(context: HostContext, caller: Caller): Promise<string> {
  const { iat: _iat, exp: _exp, ...claims } = caller.claims;
  const text = new TextEncoder().encode(JSON.stringify({ role: caller.role, claims }));
  return await new CompactEncrypt(text)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(encryptionKey(context.keys.derive(encryptionPurpose, "")));
}

/**
 * The caller who signed a URL.
 * @throws {StorageError} InvalidSignature when it holds no valid caller.
 */
export async function decryptCaller(context: HostContext, link: SignedUrl): Promise<Caller> {
  try {
    const { plaintext } = await Promise.any(
      context.keys
        .deriveAll(encryptionPurpose, "")
        .map(async (key) => await compactDecrypt(link.caller ?? "", encryptionKey(key))),
    );
    const { role, claims: signed } = encryptedCaller.parse(
      JSON.parse(new TextDecoder().decode(plaintext)),
    );
    const { sub } = signed;
    return { role, claims: signed, ...(typeof sub === "string" ? { userId: sub } : {}) };
  } catch {
    throw storageErrors.invalidSignature();
  }
}

/**
 * Refuses a signed URL whose signer has been signed out, banned or deleted since. Tokens without a session, such as
 * a project's own, are accepted.
 * @throws {StorageError} AccessDenied
 */
export async function requireActiveSession(context: HostContext, caller: Caller): Promise<void> {
  const { session_id: session } = caller.claims;
  if (session === undefined) return;
  const ended = () => storageErrors.denied("The session that signed this link has ended");
  if (!isUuid(session)) throw ended();
  const { rowCount } = await context.db.lookups.query(
    `select from auth.sessions s join auth.users u on u.id = s.user_id
      where s.id = $1::uuid and u.id::text = $2 and u.deleted_at is null
        and (u.banned_until is null or u.banned_until < now())
        and (s.not_after is null or s.not_after > now())`,
    [session, caller.userId ?? ""],
  );
  if (rowCount === 0) throw ended();
}
