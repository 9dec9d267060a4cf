import { formatPence } from "@/domain/brand.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { Code } from "../api/codes.ts";

/** Names of the plans that a code can be limited to. */
export const planNames: Readonly<Record<string, string>> = {
  "student-access": "Student Access",
  "mentor-access": "Mentor Access",
};

/** What a code gives, in one line. */
export function describeCode(code: Code): string {
  if (code.trialDays !== null) return `${pluralise(code.trialDays, "day")} free`;
  const off =
    code.percentOff === null ? formatPence(code.amountOffPence ?? 0) : `${code.percentOff}%`;
  if (code.duration === "forever") return `${off} off for good`;
  if (code.duration === "repeating")
    return `${off} off for ${pluralise(code.months ?? 1, "month")}`;
  return `${off} off the first payment`;
}
