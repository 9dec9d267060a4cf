import { formatCount } from "@/lib/format-count.ts";
import type { DraftKind } from "../model/draft.ts";

/** The page of a draft and its preview, while there is nothing or only a draft to show. */
export const draftPageStrings = {
  backLink: "Studio",
  notFoundTitle: "Draft not found",
  notFound: "The link may be wrong, or it is someone else's draft.",
  backToStudio: "Back to the studio",
  loadFailed: "We couldn't load this draft",
  loading: "Loading the draft",
  previewTitle: (version: number) => `Preview of version ${version}`,
  previewNote: "This is what members will see. Nothing you press here is counted.",
  backToDraft: "Back to the draft",
  text: "The text",
} as const;

/** Who wrote a draft and where it stands. */
export const draftHeaderStrings = {
  byOwner: (name: string) => ` by ${name}`,
  inReview: "An administrator is reviewing this. To change it, take it back first.",
  inReviewForTime: (time: string) =>
    `An administrator is reviewing this. Requested publication: ${time}. To change it, take it back first.`,
  scheduled: (time: string | null) =>
    `Scheduled for ${time ?? "later"}. Members can read it from then on. Unschedule it to change the text or the time.`,
  archived: "This is archived. Take it out of the archive to carry on writing.",
  returned: "This was sent back. Read the comments, change the text, then submit it again.",
  changesUnpublished: "Members read the published version until you publish your changes.",
  changesUnapproved:
    "Members read the published version until an administrator approves your changes.",
} as const;

/** When saving fails, or another tab saved. */
export const saveProblemStrings = {
  failedTitle: "Your last changes aren't saved",
  saveAgain: "Save again",
  conflictTitle: "This draft was changed in another tab or on another device",
  conflict: (newest: number) =>
    `Version ${newest} was saved there. Nothing here is saved until you choose. If you keep what you have here, version ${newest} stays in the list of versions.`,
  keepMine: "Keep what I have here",
  loadNewest: "Load the newer version",
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

/** What reviewers wrote, and what a draft still needs. */
export const draftNotesStrings = {
  commentsTitle: "Reviewer's comments",
  onVersion: (version: number) => ` · on version ${version}`,
  issuesTitle: "Before you can submit this",
  /** Each of them says itself what it needs. */
  complete: "Complete: ",
  warnings: (count: number) =>
    count === 1 ? "see the warning below it." : `see the ${formatCount(count)} warnings below it.`,
} as const;

/** Everything about a text but the text itself. */
export const draftFieldsStrings = {
  section: "Settings",
  open: "Settings",
  title: "Title",
  /** In the field, while there is no title. */
  titlePlaceholder: (kind: DraftKind) => `Title of the ${kind}`,
  leftEmpty: "Leave it empty and we'll use your first words:",
  takeSuggestion: "Use it and edit",
  excerptLabel: (kind: DraftKind) => (kind === "article" ? "Excerpt" : "Description"),
  excerptHint: (kind: DraftKind) =>
    kind === "article" ? "At most 200 characters." : "At most 300 characters.",
  address: "Address",
  addressHint: "The last part of its web address.",
  addressFixed: "It can't be changed after publication.",
  subcategoriesFailed: "We couldn't load the subcategories",
  category: "Category",
  categoryOption: (level: number, name: string) => `Level ${level} ${name}`,
  subcategory: "Subcategory",
  chooseSubcategory: "Choose one",
  tags: "Tags",
  tagsHint: "2 to 5, in lower case, separated by commas.",
  difficulty: "Difficulty",
  difficultyHint: "Shown on its card.",
  price: "Price in pounds",
  priceHint: "0 for a free course.",
  priceWrong: "Enter pounds, or pounds and pence such as 12.50.",
} as const;

export const coverTexts = {
  title: "Cover",
  picture: "Picture",
  hint: "JPG, PNG or WebP, under 20 MB. It's cropped to 16:9.",
  drawn: "Without a picture, members see this drawn cover.",
  remove: "Remove picture",
  preview: "Preview of the cover",
  crop: "Part to show",
  cropHint: "Move it until the preview shows what matters.",
  fits: "It's already the right shape for a cover.",
  use: "Use as cover",
  cancel: "Cancel",
  inPreview: "The cover, on its card and before members enrol.",
  offline: "You're offline. Upload the picture once you're connected again.",
} as const;
