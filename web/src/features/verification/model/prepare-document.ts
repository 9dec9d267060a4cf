import { contentOf } from "@/lib/file-content.ts";
import { endingOf } from "@/lib/file-type.ts";
import { redrawPicture, UnreadableFile } from "@/lib/redraw-picture.ts";
import { maximumDocumentSize, mimeOf } from "./identity-document.ts";

/** Enough pixels to read the small print of a photographed passport; every phone can draw them. */
const longestSide = 4000;
/** Small print stays sharp; below 0.9 the lines of a document begin to blur. */
const quality = 0.93;

/**
 * The document as it is sent. A photo is drawn anew, which takes away where and when it was taken; a PDF goes
 * as it is, if it is one.
 * @throws {UnreadableFile}
 */
export async function prepareDocument(file: File): Promise<File> {
  const type = mimeOf[endingOf(file, mimeOf) ?? "pdf"];
  if (type !== "application/pdf") {
    return redrawPicture(file, type, { longestSide, quality, mostBytes: maximumDocumentSize });
  }
  if ((await contentOf(file)) !== type) throw new UnreadableFile("This is no PDF");
  return file;
}
