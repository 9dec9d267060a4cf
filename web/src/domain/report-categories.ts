/** What can be wrong with something that is reported, as the database knows it, in the order of the form. */
const names = {
  spam: "Spam or advertising",
  harassment: "Harassment or hate",
  scam: "Scam or fraud",
  danger: "Dangerous or illegal",
  privacy: "Someone's private details",
  other: "Something else",
} as const;

export type ReportCategory = keyof typeof names;

export const reportCategories = Object.keys(names) as readonly ReportCategory[];

/** What the form calls it; empty for none, and for one that a later release added. */
export function reportCategoryName(category: string | null | undefined): string {
  return category && Object.hasOwn(names, category) ? names[category as ReportCategory] : "";
}
