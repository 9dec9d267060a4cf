import * as z from "zod/mini";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { UnreadableFileError } from "@/lib/reencode-image.ts";

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

/** Why something in the studio was not done. */
export function describeStudioError(error: unknown): string {
  switch (toAppError(error).code) {
    case "FF650":
      return "Only mentors with an active membership can write. Check yours under Membership.";
    case "FF651":
      return "This draft no longer exists.";
    case "FF652":
      return "There is a newer version of this draft. Reload the page to see it.";
    case "FF653":
      return "This draft has moved on meanwhile. Reload the page to see where it stands.";
    case "FF654":
      return "A few things are missing before this can be published.";
    case "FF655":
      return "Choose a time in the future, within a year.";
    case "FF656":
      return "Write at least one comment, so that the mentor knows what to change.";
    case "FF658":
      return "This cover isn't a picture you've uploaded. Choose another one and save again.";
    case "FF659":
      return "Your drafts take 500 MB with all their versions, which is the most. Please contact support.";
    case "23514":
      return "The text or one of the fields is too long. Shorten it and save again.";
    default:
      return retryLaterMessage(error) ?? `That wasn't saved. ${tryAgain}`;
  }
}

/** Why a cover or a picture of a text was not uploaded. */
export function explainContentPictureError(error: unknown): string {
  const { status, message } = toAppError(error);
  // The storage names the meaning of nearly every error in its body.
  switch (String(Reflect.get(Object(error), "statusCode") ?? status)) {
    case "400":
      // The sentences of the database about its limits.
      return message;
    case "403":
      return "Only mentors with an active membership can upload pictures.";
    case "413":
      return "The picture is too large. Choose a smaller one.";
    case "415":
      return "We couldn't read this picture. Choose another one.";
    default:
      return retryLaterMessage(error) ?? `The picture wasn't uploaded. ${tryAgain}`;
  }
}

/** Why an article or a course, with its pictures, was not imported. */
export function explainImportError(error: unknown): string {
  if (error instanceof UnreadableFileError) {
    return "We couldn't read one of its pictures. Save it anew as JPG or PNG and choose the files again.";
  }
  const isOfStorage = Reflect.get(Object(error), "statusCode") !== undefined;
  return isOfStorage ? explainContentPictureError(error) : describeStudioError(error);
}
