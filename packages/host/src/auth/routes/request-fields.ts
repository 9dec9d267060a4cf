import { AuthError, invalid } from "../auth-error.ts";

const LONGEST_EMAIL = 255;
const LONGEST_LOCAL_PART = 64;
/** What HTML calls a valid e-mail address. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CODE_CHALLENGE = /^[\w.~-]+$/;
/** The metadata travels in every access token, and a token has to fit into a request header. */
const LARGEST_METADATA = 8 * 1024;

/** @throws {AuthError} unless `email` is an address; answers its lower-case form. */
export function acceptEmail(email: string): string {
  if (email === "") throw invalid("An email address is required");
  if (email.length > LONGEST_EMAIL) throw invalid("An email address is too long");
  const normal = email.toLowerCase();
  if (!EMAIL.test(normal) || normal.indexOf("@") > LONGEST_LOCAL_PART) {
    throw invalid("Unable to validate email address: invalid format");
  }
  return normal;
}

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** A PKCE challenge, checked; undefined when the request starts no PKCE flow. */
export interface Challenge {
  challenge: string;
  method: "s256" | "plain";
}

/** @throws {AuthError} when only one of the two fields is there or either is malformed. */
export function acceptChallenge(fields: {
  code_challenge: string;
  code_challenge_method: string;
}): Challenge | undefined {
  const { code_challenge: challenge, code_challenge_method: given } = fields;
  if (challenge === "" && given === "") return undefined;
  if (challenge === "" || given === "") {
    throw invalid("PKCE flow requires code_challenge_method and code_challenge");
  }
  const method = given.toLowerCase();
  if (method !== "s256" && method !== "plain") {
    throw invalid("code challenge method must be s256 or plain");
  }
  if (challenge.length < 43 || challenge.length > 128) {
    throw invalid("code challenge has to be between 43 and 128 characters");
  }
  if (!CODE_CHALLENGE.test(challenge)) {
    throw invalid(
      "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
    );
  }
  return { challenge, method };
}

/**
 * `changes` laid over `current`, a null removing its key.
 * @throws {AuthError} when the result is too large to travel in a token.
 */
export function mergeMetadata(
  current: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null),
  );
  if (Buffer.byteLength(JSON.stringify(merged)) > LARGEST_METADATA) {
    throw new AuthError(
      400,
      "validation_failed",
      `Metadata must not be larger than ${LARGEST_METADATA} bytes`,
    );
  }
  return merged;
}
