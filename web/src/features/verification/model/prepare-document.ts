import { sniffContentType } from "@/lib/sniff-content-type.ts";
import { extensionOf } from "@/lib/file-extension.ts";
import { reencodeImage, UnreadableFileError } from "@/lib/reencode-image.ts";
import { maximumDocumentSize, mimeOf } from "./validate-document.ts";

/** Enough pixels to read the small print of a photographed passport; every phone can draw them. */
const longestSide = 4000;
/** Small print stays sharp; below 0.9 the lines of a document begin to blur. */
const quality = 0.93;

/**
 * The document as it is sent. A photo is drawn anew, which takes away where and when it was taken; a PDF goes
 * as it is, if it is one.
 * @throws {UnreadableFileError}
 */
export async function prepareDocument(file: File): Promise<File> {
  const type = mimeOf[extensionOf(file, mimeOf) ?? "pdf"];
  if (type !== "application/pdf") {
    return reencodeImage(file, type, { longestSide, quality, maxBytes: maximumDocumentSize });
  }
  if ((await sniffContentType(file)) !== type) throw new UnreadableFileError("This is no PDF");
  return file;
}
