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
  list: "List",
  numberedList: "Numbered list",
  quote: "Quote",
  note: "Note",
  table: "Table",
  picture: "Picture",
  insertPicture: "Insert a picture",
  undo: "Undo",
  redo: "Redo",
  picturesLeftOut: (count: number) =>
    `The pasted text came without its ${count === 1 ? "picture" : pluralise(count, "picture")}.`,
  hint: "Type / at the start of a line to insert a heading, list, table, picture, quote or callout. Pictures can also be pasted or dropped. In a table, Tab goes to the next cell and the arrow keys lead out of it.",
} as const;

export const textPictureTexts = {
  title: "Insert a picture",
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
