import { formatCount, pluralise } from "@/lib/format-count.ts";

export const trendStrings = {
  title: "Twelve months",
  loading: "Loading the last twelve months",
  loadFailed: "We couldn't load the last twelve months",
  recurring: "Recurring each month",
  recurringNote: "At today's prices, VAT included, before discounts",
  net: "Left in twelve months",
  netNote: "After refunds, lost disputes and VAT, before fees",
  churn: "Lost last month",
  churnOf: (lost: number, members: number) =>
    `${formatCount(lost)} of ${pluralise(members, "member")}`,
  noMembers: "No members when it began",
  chartLabel: (amount: string) =>
    `What was left each month: ${amount} in twelve months. The figures are in the table below.`,
  table: "Months as a table",
  month: "Month",
  left: "Left",
  members: "Members at its start",
  lost: "Lost",
  soFar: (month: string) => `${month}, so far`,
  reasons: "Why members cancelled",
  noReasons: "Nobody has given a reason in these months.",
} as const;

/** What members choose when they cancel. */
const reasonNames: Readonly<Record<string, string>> = {
  too_expensive: "It costs too much",
  missing_features: "Something is missing",
  switched_service: "They use something else",
  unused: "They didn't use it enough",
  customer_service: "The support",
  too_complex: "It's too complicated",
  low_quality: "The quality",
};

export function cancellationReason(reason: string): string {
  return reasonNames[reason] ?? "Another reason";
}
