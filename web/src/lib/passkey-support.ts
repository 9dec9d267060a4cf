/** True where the browser supports passkeys. */
export function knowsPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

/**
 * True for an error of the browser's own: the member turned back, waited too long, or has no passkey for this site here. It
 * does not say which.
 */
export function isCeremonyAborted(error: unknown): boolean {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: unknown };
  if (name === "NotAllowedError" || name === "AbortError") return true;
  if (code === "ERROR_CEREMONY_ABORTED") return true;
  return cause instanceof Error && isCeremonyAborted(cause);
}
