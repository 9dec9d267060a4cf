import type { NoteMessage, NoteSentences } from "../model/notes/note-message.ts";

const quoted = (words: string) => `“${words}”`;

/** What is said of notes that other programs wrote: what was changed on the way into a draft, and what can't be taken. */
const sentences: NoteSentences = {
  notText: () => "The file is not UTF-8 text.",
  empty: () => "There is no text in this file.",
  tooLarge: (kilobytes: number) =>
    `The file has ${kilobytes} KB; at most 200 KB are allowed. Split it in two.`,
  tooLong: () => "With its pictures renamed, the text is over 200 KB. Split it in two.",
  brokenCharacter: () =>
    "A character here can't be read. Save the file as UTF-8 and choose it again.",
  readAs: (encoding: string) =>
    `Read as ${encoding}. Check the letters with accents; save it as UTF-8 if they're wrong.`,
  brokenFields: (reason: string) =>
    `The front matter is broken: ${reason}. Put the value in quotes, or take the line out.`,
  noFields: () => "The front matter must be a list of fields, each as `name: value`.",
  openFields: (mark: string) => `The front matter has no closing line of \`${mark}\`.`,
  titleOfHeading: () => "Its first heading became the title.",
  titleOfFile: (title: string) => `The file's name became the title, ${quoted(title)}.`,
  longTitle: (length: number) =>
    `The title has ${length} characters; at most 90 fit when it's published.`,
  cutTitle: () => "The title was longer than 200 characters, so the end of it was cut off.",
  longExcerpt: (length: number) =>
    `The excerpt has ${length} characters; at most 200 fit when it's published.`,
  excerptMade: () => "The excerpt was made from the first words. Check it in the draft.",
  excerptEmpty: () => "It has no opening words to make an excerpt from. Write one in the draft.",
  noAddress: () =>
    "An address has letters from a to z and digits, and neither its name nor its title has any. Write one in the draft.",
  tagsDropped: (tags: string) => `Up to five tags fit, so these were left out: ${tags}.`,
  tagCut: (tag: string) => `Tags have at most 30 characters, so “${tag}” was cut.`,
  fieldKept: (name: string, value: string) =>
    `\`${name}\` has no place in a draft, so it's only listed here: ${value}`,
  headingsMoved: () => "Headings begin at the second level here, so they were moved.",
  noteLinked: (words: string, title: string) =>
    `The link to ${quoted(title)} became plain words (${quoted(words)}). That note is being imported too: link to it once it's published.`,
  noteMissing: (words: string, target: string) =>
    `The link to ${quoted(target)} became plain words (${quoted(words)}), because that note isn't in this import.`,
  linkInPage: (words: string) =>
    `The link to a heading became plain words (${quoted(words)}); drafts have no such links.`,
  embedMissing: (target: string) =>
    `${quoted(target)} can't be shown within a text, so only its name is kept.`,
  linkSecured: (address: string) => `The link to ${address} was changed to https. Try it.`,
  linkAsText: (address: string) =>
    `Links must be full https addresses, so ${quoted(address)} is kept as text.`,
  linkUnsafe: () => "A link that runs a program was taken out; its words are kept.",
  pictureMissing: (address: string) =>
    `There is no picture \`${address}\` in this import. Choose the folder or archive that holds it, or take the line out.`,
  pictureAsName: (target: string) =>
    `There is no picture ${quoted(target)} in this import, so only its name is kept. Choose the folder or archive that holds it as well, or insert it in the draft.`,
  pictureKind: (address: string) =>
    `\`${address}\` isn't a JPG, PNG or WebP. Save it as one of these and name that, or take the line out.`,
  pictureElsewhere: (address: string) =>
    `Only pictures that were uploaded here are allowed, and ${address} is elsewhere. Put the picture beside the text, or take the line out.`,
  pictureTitle: (title: string) => `The picture's title ${quoted(title)} was left out.`,
  describePicture: (words: string) =>
    `Describe the picture in the draft: it has no description but its file's name, ${quoted(words)}.`,
  pictureDescription: (words: string) => `The picture's description now reads ${quoted(words)}.`,
  coverMissing: (address: string) =>
    `\`cover\` must be a picture beside this file, such as pictures/cover.jpg; there is no \`${address}\` in this import.`,
  highlight: () => "Highlighted words became bold.",
  comment: (words: string) => `A hidden comment was left out: ${quoted(words)}.`,
  callout: (name: string, kind: string) => `The box ${quoted(name)} became a ${kind}.`,
  frame: () => "The frame around a Notion box was left out; its words are kept.",
  template: (words: string) => `${quoted(words)} is a template command, kept here as text.`,
  wikiLeft: (words: string) => `${quoted(words)} couldn't be read as a link, so it's kept as text.`,
  damaged: () =>
    "This text could not be carried over without changing more than its links and pictures. Write them as Markdown and choose it again.",
  ofLibrary: (sentence) => sentence,
};

/** The sentence of a message. */
export function noteMessageText([code, ...values]: NoteMessage): string {
  // TypeScript cannot follow that the values are those of the code.
  const sentence = sentences[code] as (...values: readonly unknown[]) => string;
  return sentence(...values);
}
