import { toFault } from "@/lib/errors.ts";

const tooFast = "FF300";

/** The database's own words when somebody is too fast, else null: other reasons help nobody. */
export function tooFastReason(error: unknown): string | null {
  const { code, message } = toFault(error);
  return code === tooFast ? message : null;
}
