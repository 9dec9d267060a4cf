import { formatCount, pluralise } from "@/lib/format-count.ts";

export const trendStrings = {
  title: "Twelve months",
  loading: "Loading the last twelve months",
  loadFailed: "We couldn't load the last twelve months",
  recurring: "Recurring each month",
  recurringNote: "At today's prices, VAT included, before discounts",
  net: "Net over twelve months",
  netNote: "After refunds, lost disputes and VAT, before fees",
  churn: "Lost last month",
  churnOf: (lost: number, members: number) =>
    `${formatCount(lost)} of ${pluralise(members, "member")}`,
  noMembers: "No members when the month began",
  chartLabel: (amount: string) =>
    `Net each month: ${amount} over twelve months. The figures are in the table below.`,
  table: "Months as a table",
  month: "Month",
  left: "Net",
  members: "Members at the start",
  lost: "Lost",
  soFar: (month: string) => `${month}, so far`,
  reasons: "Why members cancelled",
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
