import { formatPence } from "@/domain/brand.ts";
import type { Code } from "../api/codes.ts";
import { codeGivesTexts } from "../strings/codes.ts";

/** What a code gives, in one line. */
export function describeCode(code: Code): string {
  if (code.trialDays !== null) return codeGivesTexts.freeDays(code.trialDays);
  const off =
    code.percentOff === null ? formatPence(code.amountOffPence ?? 0) : `${code.percentOff}%`;
  if (code.duration === "forever") return codeGivesTexts.forGood(off);
  if (code.duration === "repeating") return codeGivesTexts.forMonths(off, code.months ?? 1);
  return codeGivesTexts.firstPayment(off);
}
