import { rateLimited } from "@/lib/error-codes.ts";
import { retryLaterMessage, toAppError } from "@/lib/errors.ts";

/** The text for a rate limit of the database or the server; null for other errors. */
export function rateLimitMessage(error: unknown): string | null {
  const { code, message } = toAppError(error);
  return code === rateLimited ? message : retryLaterMessage(error);
}
