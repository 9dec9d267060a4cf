// Validates fields that several auth routes take: e-mail addresses, PKCE code challenges and user metadata.

import { domainToASCII } from "node:url";
import { AuthError, validationFailed } from "../auth-error.ts";

const maxEmailLength = 255;
const maxLocalPartLength = 64;
/** A valid e-mail address as HTML defines it. */
const emailPattern =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const codeChallengePattern = /^[\w.~-]+$/;
/** User metadata is part of every access token, and a token has to fit into a request header. */
const maxMetadataBytes = 8 * 1024;

/** Letters, digits and the dots of a domain; what ends a domain in a URL is none of them. */
const domainPattern = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const plainText = /^[\x20-\x7e]*$/;

function invalidFormat(): AuthError {
  return validationFailed("Unable to validate email address: invalid format");
}

/**
 * The address as mail servers without SMTPUTF8 take it: the domain in ASCII.
 * @throws {AuthError} when the part before the domain has other letters, because most servers could not deliver to it
 */
function toAsciiAddress(address: string): string {
  if (plainText.test(address)) return address;
  const at = address.lastIndexOf("@");
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || local.includes("@") || !domainPattern.test(domain)) throw invalidFormat();
  if (!plainText.test(local)) {
    throw new AuthError(
      400,
      "email_address_invalid",
      "Email addresses with letters other than a to z before the @ can't be used here, because many mail servers don't deliver to them.",
    );
  }
  return `${local}@${domainToASCII(domain)}`;
}

/** @returns the address in lower case, its domain in ASCII @throws {AuthError} when it is invalid */
export function parseEmail(email: string): string {
  if (email === "") throw validationFailed("An email address is required");
  if (email.length > maxEmailLength) throw validationFailed("An email address is too long");
  const normal = toAsciiAddress(email.toLowerCase());
  if (!emailPattern.test(normal) || normal.indexOf("@") > maxLocalPartLength) {
    throw invalidFormat();
  }
  return normal;
}

/** A validated PKCE code challenge. */
export interface CodeChallenge {
  challenge: string;
  method: "s256" | "plain";
}

/**
 * @returns undefined when the request starts no PKCE flow.
 * @throws {AuthError} when one of the two fields is missing or malformed.
 */
export function parseCodeChallenge(fields: {
  code_challenge: string;
  code_challenge_method: string;
}): CodeChallenge | undefined {
  const { code_challenge: challenge, code_challenge_method: given } = fields;
  if (challenge === "" && given === "") return undefined;
  if (challenge === "" || given === "") {
    throw validationFailed("PKCE flow requires code_challenge_method and code_challenge");
  }
  const method = given.toLowerCase();
  if (method !== "s256" && method !== "plain") {
    throw validationFailed("code challenge method must be s256 or plain");
  }
  if (challenge.length < 43 || challenge.length > 128) {
    throw validationFailed("code challenge has to be between 43 and 128 characters");
  }
  if (!codeChallengePattern.test(challenge)) {
    throw validationFailed(
      "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
    );
  }
  return { challenge, method };
}

/**
 * Merges `changes` into `current`; a null removes its key.
 * @throws {AuthError} when the result is too large for a token.
 */
export function mergeUserMetadata(
  current: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([, value]) => value !== null),
  );
  if (Buffer.byteLength(JSON.stringify(merged)) > maxMetadataBytes) {
    throw new AuthError(
      400,
      "validation_failed",
      `Metadata must not be larger than ${maxMetadataBytes} bytes`,
    );
  }
  return merged;
}
