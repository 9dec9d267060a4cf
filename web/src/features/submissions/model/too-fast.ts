import { toAppError, retryLaterMessage } from "@/lib/errors.ts";

const tooFast = "FF300";

/** What to say to a member who is too fast for the database or the server, else null: other reasons help nobody. */
export function tooFastReason(error: unknown): string | null {
  const { code, message } = toAppError(error);
  return code === tooFast ? message : retryLaterMessage(error);
}
