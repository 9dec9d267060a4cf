import * as z from "zod/mini";
import { toAppError } from "@/lib/errors.ts";
import type { DraftContent } from "./draft.ts";

/** Something a version still needs. `modules.2` is about the second module. */
export interface DraftIssue {
  readonly field: string;
  readonly message: string;
}

const issuesShape = z.array(z.object({ field: z.string(), message: z.string() }));

function detailsOf(error: unknown): string {
  const details = typeof error === "object" && error !== null && "details" in error;
  return details && typeof error.details === "string" ? error.details : "";
}

/** The number of the newest version, when the error is that there is one. */
export function newestVersionIn(error: unknown): number | null {
  return toAppError(error).code === "FF652" ? Number(detailsOf(error)) : null;
}

/** What the draft still needs, when the error is that it cannot be published yet. */
export function issuesIn(error: unknown): readonly DraftIssue[] {
  if (toAppError(error).code !== "FF654") return [];
  return issuesShape.parse(JSON.parse(detailsOf(error)));
}

/** Whether the field of an issue, by its name in the database, is the same in both contents. */
function isSame(field: string, before: DraftContent, after: DraftContent): boolean {
  const [name = "", place] = field.split(".");
  const valueIn = (content: DraftContent): unknown => {
    if (place !== undefined) return content.modules[Number(place) - 1];
    if (name === "modules") return content.modules.map(({ slug }) => slug);
    return content[(name === "subcategory_id" ? "subcategoryId" : name) as keyof DraftContent];
  };
  return JSON.stringify(valueIn(before)) === JSON.stringify(valueIn(after));
}

/** The issues whose fields a change has left as they were. Whether the others are mended is seen when the draft is submitted again. */
export function issuesAfterChange(
  issues: readonly DraftIssue[],
  before: DraftContent,
  after: DraftContent,
): readonly DraftIssue[] {
  return issues.filter(({ field }) => isSame(field, before, after));
}
