/** The modules of a course, their order and their fields. */
export const moduleStrings = {
  title: "Modules",
  module: (place: number) => `Module ${place}`,
  emptyTitle: "No modules yet",
  empty: "Each module is a lesson with a heading “Exercise”.",
  orderHint: "Drag modules to order them. By keyboard: Alt and the up or down arrow.",
  /** On phones, where the list is folded. */
  showList: (count: number) => (count === 1 ? "Show 1 module" : `Show ${count} modules`),
  hideList: (count: number) => (count === 1 ? "Hide 1 module" : `Hide ${count} modules`),
  untitled: "Untitled module",
  move: (title: string, up: boolean) => `Move ${title} ${up ? "up" : "down"}`,
  moved: (title: string, place: number, count: number) =>
    `${title} is now module ${place} of ${count}.`,
  add: "Add module",
  remove: (place: number) => `Remove module ${place}`,
  titleLabel: (place: number) => `Title of module ${place}`,
  address: "Address of the module",
  minutes: "Minutes",
  minutesHint: "Leave empty to count reading time only.",
  minutesWrong: "Enter whole minutes, from 1 to 600.",
} as const;

export function titleOfModule(module: { readonly title: string } | undefined): string {
  return module === undefined || module.title.trim() === "" ? moduleStrings.untitled : module.title;
}

export const filmTexts = {
  address: "Video",
  addressHint: "The player address from YouTube (no-cookie) or Vimeo.",
  open: "Upload a film instead",
  partName: (place: number) => `Film of module ${place}`,
  film: "Film",
  filmHint:
    "MP4 or WebM, up to 50 MB. If the upload is interrupted, choose the same files within a day to continue.",
  wrongKind: "This isn't an MP4 or WebM film that browsers can play. Save it as MP4 with H.264.",
  tooLarge: "The film is larger than 50 MB. Save it smaller, or use YouTube or Vimeo.",
  tooSlow: "The upload took longer than two minutes. Try a faster connection.",
  mentorsOnly: "Only mentors with an active membership can upload films.",
  failed: "The film wasn't uploaded.",
  captions: "Captions",
  captionsHint: "A WebVTT file (.vtt). Every film needs captions.",
  offline: "You're offline. Upload the film once you're connected again.",
  offlineSending: "You're offline. The upload continues automatically once you're connected again.",
  upload: "Upload film",
  tryAgain: "Try again",
  close: "Close",
  uploading: "Uploading",
  cancelUpload: "Cancel upload",
  stay: "You can carry on writing in any lesson. Stay in the editor until it's done.",
  sendingElsewhere: "Film uploading",
  failedElsewhere: "Film not uploaded",
  actsWait:
    "Your film is still uploading. Submitting, withdrawing and archiving wait until it's done.",
  endsUpload: "Loading the newer version also ends the upload of your film.",
  replaceCaptions: "Replace captions",
  otherCaptions: "Other captions",
  saveCaptions: "Save captions",
  remove: "Remove film",
} as const;
