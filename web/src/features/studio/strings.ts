import type { HandedOver } from "./api/draft-acts.ts";
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

export const filmTexts = {
  addressHint: "Player address of YouTube (no-cookie) or Vimeo.",
  open: "Upload a film instead",
  filmHint: "MP4 or WebM, up to 50 MB.",
  wrongKind: "This isn't an MP4 or WebM film.",
  tooLarge: "The film is larger than 50 MB. Save it smaller, or use YouTube or Vimeo.",
  tooSlow: "The upload took longer than two minutes. Try a faster connection.",
  mentorsOnly: "Only mentors with an active membership can upload films.",
  failed: "The film wasn't uploaded.",
  captionsHint: "A WebVTT file (.vtt). Every film needs captions.",
  offline: "You're offline. Upload the film once you're connected again.",
  stay: "You can write on in any lesson. Stay in the editor until it's done.",
  sendingElsewhere: "Film uploading",
  failedElsewhere: "Film not uploaded",
  actsWait:
    "Your film is still uploading. Submitting, withdrawing and archiving wait until it's done.",
  endsUpload: "Loading the newer version also ends the upload of your film.",
} as const;

/** Asked before one leaves the editor. */
export const leaveTexts = {
  textTitle: "Leave without saving?",
  filmTitle: "Leave during the upload?",
  text: "Your last changes couldn't be saved yet. If you leave, they're lost.",
  film: "A film is still uploading. If you leave, the upload ends and the lesson stays without it.",
  stay: "Stay",
  leave: "Leave",
  signOut: "Sign out",
} as const;

export const textPictureTexts = {
  title: "Insert a picture",
  hint: "JPG, PNG or WebP, under 20 MB.",
  descriptionHint: "What it shows, for members who can’t see it.",
  descriptionMissing: "Describe the picture.",
  offline: "You’re offline. Insert the picture once you’re connected again.",
  insert: "Insert picture",
} as const;

export const coverTexts = {
  hint: "JPG, PNG or WebP, under 20 MB. It's cropped to 16:9.",
  drawn: "Without a picture, members see this drawn cover.",
  cropHint: "Move it until the preview shows what matters.",
  fits: "It has the shape of a cover already.",
  inPreview: "The cover, on its card and before members enrol.",
  offline: "You're offline. Upload the picture once you're connected again.",
} as const;
