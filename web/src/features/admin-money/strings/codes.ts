import { pluralise } from "@/lib/format-count.ts";
import type { NewCode } from "../api/codes.ts";

/** Names of the plans that a code can be limited to. */
export const planNames: Readonly<Record<string, string>> = {
  "student-access": "Student Access",
  "mentor-access": "Mentor Access",
};

/** What a code gives. `off` is a percentage or a sum. */
export const codeGivesTexts = {
  freeDays: (days: number) => `${pluralise(days, "day")} free`,
  forGood: (off: string) => `${off} off for good`,
  forMonths: (off: string, months: number) => `${off} off for ${pluralise(months, "month")}`,
  firstPayment: (off: string) => `${off} off the first payment`,
} as const;

/** Coupons and trial codes, in the list and one by one. */
export const codesViewStrings = {
  title: "Codes",
  loadFailed: "We couldn't load the codes",
  emptyTitle: "No codes yet",
  empty: "Make a code for a discount or free days. Members enter it at the checkout.",
  make: "New code",
  code: "Code",
  gives: "Gives",
  used: "Used",
  usedOf: (used: number, most: number) => `${used} of ${most}`,
  state: (isActive: boolean) => (isActive ? "On" : "Off"),
  rowLabel: (code: string, gives: string, isActive: boolean) =>
    `${code}, ${gives}, ${isActive ? "on" : "off"}`,
  bothPlans: "Both plans",
  audience: "For",
  newMembers: "New members only",
  everyone: "Everyone",
  noEndDate: "No end date",
  made: "Made",
  turnOff: "Turn off",
  turnOffConfirm: (code: string) => `Turn off ${code}`,
  turnOffNote:
    "No one can use this code any more. Members who have used it keep what it gave them.",
  turnedOff: (code: string) => `${code} is off.`,
} as const;

/** What the value of a new code is, by its kind. */
export const codeValueLabels: Readonly<Record<string, string>> = {
  percent: "Per cent off",
  amount: "Pounds off",
  trial: "Days free",
};

const valueLimits = { percent: "1 to 100", amount: "a sum such as 12.50", trial: "1 to 365" };

/** The form of a new code; what the list says as well is in `codesViewStrings`. */
export const codeFormStrings = {
  codeHint: "What members type, such as SPRING-25.",
  codeWrong: "Use 3 to 40 letters, digits or hyphens.",
  kind: "Kind",
  kinds: { percent: "Percentage off", amount: "Amount off", trial: "Free days" },
  valueWrong: (kind: NewCode["kind"]) => `Enter ${valueLimits[kind]}.`,
  duration: "Applies to",
  durations: { once: "First payment", repeating: "Some months", forever: "Every payment" },
  months: "Months",
  monthsWrong: "Enter 1 to 36.",
  lastDay: "Last day",
  lastDayWrong: "Choose a day in the future.",
  uses: "Uses at most",
  usesWrong: "Enter a whole number, or leave it empty.",
  confirm: "Make code",
  made: (code: string) => `${code} is ready to use.`,
} as const;
