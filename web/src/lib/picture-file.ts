import { extensionOf, type FileMetadata } from "./file-extension.ts";

/** Bytes: a chosen picture has to be smaller. What is sent is drawn anew and far smaller. */
const tooManyChosenBytes = 20 * 1024 * 1024;
/** The most bytes of a picture that is sent: the buckets take what is smaller than 5 MB. */
export const maxSentPictureBytes = 5 * 1024 * 1024 - 1;
export const acceptedPictures = ".jpg,.jpeg,.png,.webp,image/jpeg,image/png,image/webp";

const mimeOf = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  webp: "image/webp",
} as const;

/** Texts about a chosen picture that cannot be used. */
export const pictureFileStrings = {
  wrongKind: "Please choose a JPG, PNG or WebP picture.",
  tooLarge: "The picture must be smaller than 20 MB.",
  unreadable: "We couldn't read this picture. Please choose another one.",
} as const;

/** What is wrong with a chosen picture, null when it may be used. */
export function pictureFileError(file: FileMetadata): string | null {
  if (extensionOf(file, mimeOf) === null) return pictureFileStrings.wrongKind;
  return file.size >= tooManyChosenBytes ? pictureFileStrings.tooLarge : null;
}
