import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, safe in a URL. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** How tokens are stored: what is in the database cannot be presented. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
