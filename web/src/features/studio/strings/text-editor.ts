import { pluralise } from "@/lib/format-count.ts";

/** Around a text, however it is written. */
export const textEditorStrings = {
  article: "Article",
  lesson: (place: number) => `Lesson ${place}`,
  minutes: (minutes: number) => `${minutes} min read`,
  markdown: "Markdown",
  asMarkdown: (label: string) => `${label} as Markdown`,
  loading: "Loading the editor",
  issues: "Not allowed in the library",
  issue: (line: number, message: string) => `Line ${line}: ${message}`,
} as const;

/** The text as it will look, with its tools and the blocks of the slash menu. */
export const richTextStrings = {
  tools: "Formatting",
  blocks: "Insert",
  heading: "Heading",
  smallerHeading: "Smaller heading",
  bold: "Bold",
  italic: "Italic",
  link: "Link",
  list: "List",
  numberedList: "Numbered list",
  checkList: "Check list",
  done: "Done",
  footnote: "Footnote",
  kept: "Kept as Markdown. Press “Markdown” to change it.",
  quote: "Quote",
  note: "Note",
  table: "Table",
  picture: "Picture",
  insertPicture: "Insert a picture",
  undo: "Undo",
  redo: "Redo",
  picturesLeftOut: (count: number) =>
    `The pasted text came without its ${count === 1 ? "picture" : pluralise(count, "picture")}.`,
  hint: "Type / at the start of a line to insert a heading, list, check list, table, picture, quote, footnote or callout. Pictures can also be pasted or dropped. In a table, Tab moves to the next cell; use the arrow keys to leave it.",
} as const;

/** What each block of the slash menu is for. */
export const blockLines = {
  heading: "Begins a part of the text",
  smallerHeading: "Begins a section of a part",
  list: "Points in any order",
  numberedList: "Steps, one after the other",
  checkList: "Things to tick off",
  table: "Rows and columns",
  picture: "A photo, a chart or a drawing",
  quote: "Another person's words",
  footnote: "A remark at the end of the text",
  note: "Something worth knowing",
  tip: "Advice that saves work",
  warning: "What can go wrong",
} as const;

/** In place of the editor, for a text that it would change. */
export const textGuardStrings = {
  title: "The editor can’t show this text exactly",
  changes:
    "Saving it from the editor would change more than what you write. Nothing is saved until you choose; leave the page, and the text stays as it is.",
  tooDeep:
    "Its lists or quotes are nested too deeply. Nothing has been changed. You can edit the text as Markdown.",
  asMarkdown: "Edit as Markdown",
  anyway: "Open in the editor anyway",
  text: (label: string) => `${label}, unchanged`,
} as const;

/** The window in which words become a link. */
export const linkTexts = {
  title: "Link",
  words: (words: string) => `On “${words}”`,
  noWords: "No words are selected, so the address itself will stand there.",
  address: "Address",
  hint: "An https address, or a path of this site, such as /knowledge/courses.",
  wrong: "Enter an https address, or a path that begins with a slash.",
  save: "Save link",
  remove: "Remove link",
  cancel: "Cancel",
} as const;

export const textPictureTexts = {
  title: "Insert a picture",
  more: (count: number) =>
    count === 1 ? "One more picture follows." : `${count} more pictures follow.`,
  preview: "Preview of the picture",
  file: "Picture file",
  hint: "JPG, PNG or WebP, under 20 MB.",
  description: "Description",
  descriptionHint: "What it shows, for members who can’t see it.",
  descriptionMissing: "Describe the picture.",
  offline: "You’re offline. Insert the picture once you’re connected again.",
  insert: "Insert picture",
  cancel: "Cancel",
} as const;
