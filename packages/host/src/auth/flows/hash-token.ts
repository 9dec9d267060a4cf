import { createHash, randomBytes } from "node:crypto";

/** A URL-safe token of 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The form in which tokens are stored, so that a copy of the database contains no usable token. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
