/** Why something in the studio was not done, by the code of the database's error. */
export const studioErrorTexts: Readonly<Record<string, string>> = {
  FF005: "Enter the code of your second factor first, on your account page.",
  FF650: "Only mentors with an active membership can write. Check yours under Membership.",
  FF651: "This draft no longer exists.",
  FF652: "There is a newer version of this draft. Reload the page to see it.",
  FF653: "This draft has moved on in the meantime. Reload the page to see where it stands.",
  FF654: "A few things are missing before this can be published.",
  FF655: "Choose a time in the future, within a year.",
  FF656: "Write at least one comment, so that the mentor knows what to change.",
  FF658: "This cover isn't a picture you've uploaded. Choose another one and save again.",
  FF659:
    "Your drafts and all their versions have reached the limit of 500 MB. Choose “Keep one version a day” below a draft's versions to make room.",
  "23514": "The text or one of the fields is too long. Shorten it and save again.",
};

/** Why a cover or a picture of a text was not uploaded, by the status of the storage's answer. */
export const pictureErrorTexts: Readonly<Record<string, string>> = {
  "403": "Only mentors with an active membership can upload pictures.",
  "413": "The picture is too large. Choose a smaller one.",
  "415": "We couldn't read this picture. Choose another one.",
};

export const studioErrorStrings = {
  notSaved: (advice: string) => `That wasn't saved. ${advice}`,
  /** @param reason begins with the line and says what to change */
  tooMuchMarkdown: (reason: string) => `That wasn't saved. ${reason}`,
  pictureNotUploaded: (advice: string) => `The picture wasn't uploaded. ${advice}`,
  ofPicture: (path: string, advice: string) => `${path}: ${advice}`,
  importPictureUnreadable:
    "We couldn't read this picture. Save it again as a JPG or PNG and choose the files again.",
} as const;
