import type { ImportRefusal, ImportRefusalSentences } from "../model/unzip.ts";

/** The page where Markdown files become drafts. */
export const importPageStrings = {
  title: "Import Markdown",
  intro:
    "Markdown files and notes from Obsidian, Notion, Jekyll or Hugo become your drafts. Nothing is published. Below each file you'll see what was changed on the way and what has to be fixed first.",
  backToStudio: "Back to the studio",
  unreadable: "The files couldn't be read. Choose them again.",
  noMarkdown: "There are no Markdown files (names that end with .md or .markdown) among these.",
  found: "Found",
  toMend: (count: number, all: number) =>
    `${count} of ${all} can't be imported yet. Fix the lines below in your files and choose them again.`,
  changed: (count: number) =>
    `${count === 1 ? "1 file was" : `${count} files were`} changed on the way. The list is only here: save it if you want to keep the dates and other fields that drafts have no place for.`,
  saveChanges: "Save the list",
  subcategoriesFailed: "The subcategories couldn't be loaded.",
  tryAgain: "Try again",
  import: (count: number) => `Import ${count} ${count === 1 ? "draft" : "drafts"}`,
  /** A link in an archive, among what is left out. */
  link: (path: string) => `${path} (a link)`,
  /** @param more how many further ones are not named */
  leftOut: (paths: string, more: number) =>
    `Left out, because only Markdown and its pictures are imported: ${paths}${more > 0 ? ` and ${more} more` : ""}.`,
} as const;

/** Where files are chosen or dropped. */
export const importDropStrings = {
  hint: "Drop Markdown files, a folder or a .zip here. Up to 1,000 files of at most 200 KB each, or an archive of up to 20 MB. Pictures come with a folder or an archive: choose the whole vault or export.",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  files: "Files to import",
  folder: "Folder to import",
} as const;

/** An article or a course among the chosen files. */
export const importItemStrings = {
  modules: (count: number) => (count === 1 ? "1 module" : `${count} modules`),
  /** @param place the subcategory its folders name; empty when they name none */
  notPlaced: (place: string) =>
    `${place === "" ? "Its folder names no subcategory" : `There is no subcategory ${place}`}. You choose one in the draft.`,
  issues: (path: string) => `To fix in ${path}`,
  changes: (count: number) => (count === 1 ? "1 change" : `${count} changes`),
  changesOf: (path: string) => `Changed in ${path}`,
  issue: (line: number, message: string) => `Line ${line}: ${message}`,
  issueInFile: (file: string, line: number, message: string) => `${file}, line ${line}: ${message}`,
  openDraft: "Open the draft",
  /** After `openDraft`, for screen readers. */
  openDraftOf: (title: string) => ` of ${title}`,
  imported: "Imported.",
  skipped: "You have a draft with this address or title already, so it was skipped.",
  importAgain: "Import as new",
} as const;

const refusals: ImportRefusalSentences = {
  tooManyFiles: (max: number) => `Choose at most ${max} files at once.`,
  tooManyBytes: () => "Choose at most 50 MB of files at once.",
  chosenTwice: (name: string) => `${name} was chosen twice.`,
  archiveTooLarge: () => "The archive has more than 20 MB.",
  archiveTooManyFiles: (max: number) => `The archive has more than ${max} files.`,
  archiveTooManyBytes: () => "The archive has more than 50 MB of files.",
  archiveUnsafeName: (name: string) => `The archive has a file with an unsafe name: ${name}`,
  archiveTwice: (path: string) => `The archive has ${path} twice.`,
  archiveDamaged: () =>
    "This archive is damaged. Make it again, or unpack it and choose the folder.",
  archiveProtected: () =>
    "This archive is protected by a password. Unpack it on your device and choose the folder.",
  archivePacking: () =>
    "This archive is packed in a way that can't be read here. Unpack it on your device and choose the folder.",
  archiveNone: () => "This file isn't a zip archive, so there are no files in it to import.",
  archiveEmpty: () => "There are no files in this archive.",
};

/** Why nothing of a choice is imported. */
export function importRefusalText([code, ...values]: ImportRefusal): string {
  // TypeScript cannot follow that the values are those of the code.
  const sentence = refusals[code] as (...values: readonly unknown[]) => string;
  return sentence(...values);
}
