import { CompactEncrypt, compactDecrypt } from "jose";
import { z } from "zod";
import { InvalidToken, type Caller } from "../keys.ts";
import type { HostContext } from "../context.ts";
import { fault } from "./errors.ts";

/** What a link is good for. */
export type LinkScope = "download" | "upload";

const claims = z.object({
  url: z.string(),
  scope: z.enum(["download", "upload"]),
  exp: z.number(),
  upsert: z.boolean().optional(),
  /** Upload links only: who signed it, sealed by `sealCaller`. */
  caller: z.string().optional(),
});

/** The verified content of a link. */
export type Link = z.output<typeof claims>;

/** Signs a link to exactly one object for exactly one use, good for `seconds` from now. */
export async function signLink(
  context: HostContext,
  link: Omit<Link, "exp">,
  seconds: number,
): Promise<string> {
  const now = Math.floor(context.now() / 1000);
  return await context.keys.sign({ ...link, iat: now, exp: now + seconds });
}

/**
 * Checks a link's signature, age, use and object.
 * @throws {StorageFault}
 */
export async function verifySignedUrl(
  context: HostContext,
  token: string | undefined,
  scope: LinkScope,
  path: string,
): Promise<Link> {
  if (!token) throw fault.invalidRequest("querystring must have required property 'token'");
  let parsed;
  try {
    parsed = claims.safeParse(await context.keys.verifySignedUrl(token));
  } catch (error) {
    if (error instanceof InvalidToken) throw fault.invalidJwt(error.message);
    throw error;
  }
  if (!parsed.success || parsed.data.scope !== scope) {
    throw fault.invalidSignature(`Token is not scoped for ${scope}`);
  }
  if (parsed.data.url !== path) throw fault.invalidSignature();
  return parsed.data;
}

const sealed = z.object({ role: z.string(), claims: z.record(z.string(), z.unknown()) });

function sealingKey(context: HostContext): Uint8Array {
  return Buffer.from(context.keys.derive("storage upload link", ""), "base64url");
}

/**
 * The caller as an upload link carries them: encrypted, because a link is passed on to others and a token's claims
 * hold an e-mail address. The policies need all claims again when the link is used.
 */
export async function sealCaller(context: HostContext, caller: Caller): Promise<string> {
  const { iat: _iat, exp: _exp, ...claims } = caller.claims;
  const text = new TextEncoder().encode(JSON.stringify({ role: caller.role, claims }));
  return await new CompactEncrypt(text)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(sealingKey(context));
}

/**
 * The caller who signed an upload link.
 * @throws {StorageFault} for a link that names none.
 */
export async function unsealCaller(context: HostContext, link: Link): Promise<Caller> {
  try {
    const { plaintext } = await compactDecrypt(link.caller ?? "", sealingKey(context));
    const { role, claims: said } = sealed.parse(JSON.parse(new TextDecoder().decode(plaintext)));
    const { sub } = said;
    return { role, claims: said, ...(typeof sub === "string" ? { userId: sub } : {}) };
  } catch {
    throw fault.invalidSignature();
  }
}

/**
 * Refuses a link whose signer has been signed out, banned or deleted since. Tokens without a session, such as a
 * project's own, have nothing that could have ended.
 * @throws {StorageFault} AccessDenied
 */
export async function requireLiveSession(context: HostContext, caller: Caller): Promise<void> {
  const { session_id: session } = caller.claims;
  if (session === undefined) return;
  const ended = () => fault.denied("The session that signed this link has ended");
  if (!z.uuid().safeParse(session).success) throw ended();
  const { rowCount } = await context.db.lookups.query(
    `select from auth.sessions s join auth.users u on u.id = s.user_id
      where s.id = $1::uuid and u.id::text = $2 and u.deleted_at is null
        and (u.banned_until is null or u.banned_until < now())
        and (s.not_after is null or s.not_after > now())`,
    [session, caller.userId ?? ""],
  );
  if (rowCount === 0) throw ended();
}
