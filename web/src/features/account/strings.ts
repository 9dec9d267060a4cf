import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

/** Texts of the profile picture. */
export const pictureStrings = {
  label: "Picture",
  hint: "JPG, PNG or WebP, under 20 MB. We use the square in the middle.",
  wrongKind: "Please choose a JPG, PNG or WebP picture.",
  tooLarge: "The picture must be smaller than 20 MB.",
  unreadable: "We couldn't read this picture. Please choose another one.",
  preparing: "Preparing your picture…",
  uploading: "Uploading your picture…",
  preview: "This is how other members will see you.",
  saved: "Your picture is saved.",
  removed: "Your picture is removed.",
} as const;

const pictureErrors: Readonly<Record<string, string>> = {
  FF340: "The upload took too long. Please save the picture again.",
  FF341: "Your membership has ended. You can set a picture again once it's running.",
};

/** Why a picture was not saved, for the member. */
export function explainPictureError(error: unknown): string {
  const { code, status } = toAppError(error);
  if (status === 403 || Reflect.get(Object(error), "statusCode") === "403") {
    return "You can upload 20 pictures an hour while your membership runs. Please try again later.";
  }
  return (
    pictureErrors[code] ?? retryLaterMessage(error) ?? `Your picture wasn't saved. ${tryAgain}`
  );
}

/** Why a picture was not removed, for the member. */
export function explainRemovalError(error: unknown): string {
  return retryLaterMessage(error) ?? `Your picture wasn't removed. ${tryAgain}`;
}
