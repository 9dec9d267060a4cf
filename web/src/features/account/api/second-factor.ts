import * as z from "zod/mini";
import { brand } from "@/domain/brand.ts";
import { answerKeyChallenge } from "@/features/session/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toAppError } from "@/lib/errors.ts";

/** A factor that waits for its first code. */
export interface NewFactor {
  readonly id: string;
  /** An image, as a `data:` address. */
  readonly qrCode: string;
  readonly secret: string;
}

/** A factor could not be set up or removed. */
export class FactorError extends Error {
  override readonly name = "FactorError";
  /** The server's, empty without one. */
  readonly code: string;

  constructor(cause: unknown) {
    const { code, message } = toAppError(cause);
    super(message, { cause });
    this.code = code;
  }
}

/** The browser or the server did not take a new security key; the cause says why. */
export class SecurityKeyError extends Error {
  override readonly name = "SecurityKeyError";
}

/** Removes what was begun earlier and never finished, which would keep its name. */
async function removeUnfinished(client: BackendClient): Promise<void> {
  const { data: listed } = await client.auth.mfa.listFactors();
  for (const { id, status } of listed?.all ?? []) {
    if (status === "unverified") await client.auth.mfa.unenroll({ factorId: id });
  }
}

/** Begins to set up an authenticator app. @throws {FactorError} */
export async function enrollFactor(client: BackendClient, name: string): Promise<NewFactor> {
  await removeUnfinished(client);
  const { data, error } = await client.auth.mfa.enroll({
    factorType: "totp",
    friendlyName: name,
    issuer: brand.name,
  });
  if (error) throw new FactorError(error);
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/**
 * Has the browser make a security key or passkey that is asked for after the password from now on. Nothing is left where that
 * fails. @throws {FactorError} when it was not begun, {@link SecurityKeyError} when it was not finished
 */
export async function addSecurityKey(client: BackendClient, name: string): Promise<void> {
  await removeUnfinished(client);
  const { data, error } = await client.auth.mfa.enroll({
    factorType: "webauthn",
    friendlyName: name,
  });
  if (error) throw new FactorError(error);
  try {
    await answerKeyChallenge(client, data.id);
  } catch (cause) {
    await client.auth.mfa.unenroll({ factorId: data.id });
    throw new SecurityKeyError("The security key was not added", { cause });
  }
}

/** Removes a second factor, and reads the session again, which knows the factors. @throws {FactorError} */
export async function removeFactor(client: BackendClient, factorId: string): Promise<void> {
  const { error } = await client.auth.mfa.unenroll({ factorId });
  if (error) throw new FactorError(error);
  await client.auth.refreshSession();
}

/** Ten new codes; the earlier ones end. Throws the database's error. */
export async function generateRecoveryCodes(client: BackendClient): Promise<readonly string[]> {
  const { data, error } = await client.rpc("generate_recovery_codes");
  if (error) throw error;
  return z.array(z.string()).parse(data);
}

/** How many codes are left. Throws the database's error. */
export async function countRecoveryCodes(client: BackendClient): Promise<number> {
  const shape = z.array(z.object({ codes_left: z.number() }));
  const { data, error } = await client.rpc("recovery_code_status");
  if (error) throw error;
  return shape.parse(data)[0]?.codes_left ?? 0;
}
