import { toFault, waitAdvice } from "@/lib/errors.ts";

const tooFast = "FF300";

/** What to say to a member who is too fast for the database or the server, else null: other reasons help nobody. */
export function tooFastReason(error: unknown): string | null {
  const { code, message } = toFault(error);
  return code === tooFast ? message : waitAdvice(error);
}
