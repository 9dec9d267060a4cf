import { retryLaterMessage, toAppError } from "@/lib/errors.ts";

const rateLimitCode = "FF300";

/** What to tell a member who is too fast for the database or the server, else null: other reasons help nobody. */
export function rateLimitMessage(error: unknown): string | null {
  const { code, message } = toAppError(error);
  return code === rateLimitCode ? message : retryLaterMessage(error);
}
