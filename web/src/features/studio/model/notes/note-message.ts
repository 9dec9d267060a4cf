/** What is said of a note, by its code: the values that its sentence names. The sentences are in `strings/import-notes.ts`. */
interface NoteMessageValues {
  notText: [];
  empty: [];
  tooLarge: [kilobytes: number];
  tooLong: [];
  brokenCharacter: [];
  readAs: [encoding: string];
  brokenFields: [reason: string];
  noFields: [];
  openFields: [mark: string];
  titleOfHeading: [];
  titleOfFile: [title: string];
  longTitle: [length: number];
  cutTitle: [];
  longExcerpt: [length: number];
  excerptMade: [];
  excerptEmpty: [];
  noAddress: [];
  tagsDropped: [tags: string];
  tagCut: [tag: string];
  fieldKept: [name: string, value: string];
  headingsMoved: [];
  noteLinked: [words: string, title: string];
  noteMissing: [words: string, target: string];
  linkInPage: [words: string];
  embedMissing: [target: string];
  linkSecured: [address: string];
  linkAsText: [address: string];
  linkUnsafe: [];
  pictureMissing: [address: string];
  pictureAsName: [target: string];
  pictureKind: [address: string];
  pictureElsewhere: [address: string];
  pictureTitle: [title: string];
  describePicture: [words: string];
  pictureDescription: [words: string];
  coverMissing: [address: string];
  highlight: [];
  comment: [words: string];
  callout: [name: string, kind: string];
  frame: [];
  template: [words: string];
  wikiLeft: [words: string];
  damaged: [];
  /** What the library's own rules say of its text, as a sentence. */
  ofLibrary: [sentence: string];
}

type Code = keyof NoteMessageValues;

/** Something that is said of a note: a code, and the values of its sentence. */
export type NoteMessage = {
  [Each in Code]: readonly [code: Each, ...values: NoteMessageValues[Each]];
}[Code];

/** The sentences, by code. */
export type NoteSentences = {
  readonly [Each in Code]: (...values: NoteMessageValues[Each]) => string;
};

/** Whether two messages read the same. */
export function isSameMessage(a: NoteMessage, b: NoteMessage): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
