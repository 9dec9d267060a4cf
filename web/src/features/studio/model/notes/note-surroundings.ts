import type { Nodes, Root } from "mdast";
import { cutToCharacters } from "@/domain/character-count.ts";
import { maxPictureDescription, pictureDescription } from "@/domain/content-pictures.ts";
import { noteName, type DraftPictures, type NoteFiles } from "./note-files.ts";
import type { NoteMessage } from "./note-message.ts";

/** What the rewriting of a note knows of what is around it. */
export interface NoteSurroundings {
  readonly path: string;
  readonly files: NoteFiles;
  readonly pictures: DraftPictures;
  /** The title of the draft that a note of the import becomes. */
  readonly titleOf: (path: string) => string;
  /** Says at a place of the text what was changed. */
  readonly tell: (offset: number, message: NoteMessage) => void;
  /** Says at a place of the text what can't be taken. */
  readonly refuse: (offset: number, message: NoteMessage) => void;
}

/** Where a node begins and ends in its text. */
export function sourceRangeOf(node: Nodes): { readonly start: number; readonly end: number } {
  return {
    start: node.position?.start.offset ?? 0,
    end: node.position?.end.offset ?? 0,
  };
}

/** An image of a draft, and what is said of its description. */
export function pictureMarkdown(
  { files, pictures, tell }: NoteSurroundings,
  found: string,
  { description, size, offset }: { description: string; size: string; offset: number },
): string {
  const source = files.source(found);
  if (source === undefined) throw new Error(`There is no file ${found}`);
  const named = noteName(found).replaceAll(/[_-]+/g, " ");
  const wanted = description.trim() === "" ? named : description;
  const written = cutToCharacters(pictureDescription(wanted), maxPictureDescription);
  if (description.trim() === "") tell(offset, ["describePicture", written]);
  else if (written !== description.trim()) tell(offset, ["pictureDescription", written]);
  return `![${written || "Picture"}](${pictures.add(found, source)}${size})`;
}

/** The first heading of a note when it is its title: the first block, of the first level. */
export function titleHeading(tree: Root): (typeof tree.children)[number] | null {
  const first = tree.children.find(({ type }) => type !== "html");
  return first?.type === "heading" && first.depth === 1 ? first : null;
}

/** Whether a heading says the same as a title. */
export function isSameTitle(a: string, b: string): boolean {
  const plain = (text: string) =>
    text.normalize("NFC").replaceAll(/\s+/g, " ").trim().toLowerCase();
  return plain(a) === plain(b);
}
