import * as z from "zod/mini";
import { toAppError } from "@/lib/errors.ts";

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
