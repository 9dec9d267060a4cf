import type { HandedOver } from "../api/draft-actions.ts";
import type { SaveState } from "../model/autosave.ts";
import type { DraftKind, DraftStatus } from "../model/draft.ts";

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

/** How saving goes, in a few words. */
export const saveStateNames: Readonly<Record<SaveState["kind"], string>> = {
  saved: "All changes saved",
  unsaved: "Not saved yet",
  saving: "Saving…",
  failed: "Not saved",
  conflict: "Not saved",
};

/** What became of a draft that was submitted or approved. */
export const handedOverTexts: Readonly<Record<HandedOver, string>> = {
  submitted: "Submitted.",
  scheduled: "Scheduled.",
  published: "Published.",
};

/** The title, or what stands in its place. */
export function titleOrUntitled(title: string): string {
  return title.trim() === "" ? "Untitled" : title;
}

const fieldNames: Readonly<Record<string, string>> = {
  title: "Title",
  slug: "Address",
  subcategory_id: "Subcategory",
  excerpt: "Excerpt",
  tags: "Tags",
  content: "Text",
  modules: "Modules",
  cover: "Cover",
};

/** The name of a field as an issue names it: `excerpt`, or `modules.2` for the second module. */
export function draftFieldName(field: string): string {
  const [name = "", place] = field.split(".");
  return place === undefined ? (fieldNames[name] ?? name) : `Module ${place}`;
}
