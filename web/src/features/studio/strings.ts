import type { DraftKind, DraftStatus } from "./model/draft.ts";

export const kindNames: Readonly<Record<DraftKind, string>> = {
  article: "Article",
  course: "Course",
};

export const draftStatusNames: Readonly<Record<DraftStatus, string>> = {
  draft: "Draft",
  submitted: "In review",
  returned: "Returned",
  scheduled: "Scheduled",
  published: "Published",
  withdrawn: "Withdrawn",
  archived: "Archived",
};

/** The title, or what stands in its place. */
export function titleOrUntitled(title: string): string {
  return title.trim() === "" ? "Untitled" : title;
}
