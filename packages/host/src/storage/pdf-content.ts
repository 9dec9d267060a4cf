import type { StagedFile } from "./staging-area.ts";

/** Readers look for the header and for the end mark among so many first and last bytes. */
const searchBytes = 1024;
/** Bytes at the start of a file in which browsers look for markup. */
const markupPattern = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)[\s>/]/i;
const headerPattern = /%PDF-[12]\.\d/;
const endMark = "%%EOF";
/** What else a file can be by bytes around a PDF: nothing of it may stand there, although it is cut off. */
// oxlint-disable-next-line no-control-regex -- Signatures of archives and programs hold such characters.
const foreignPattern = /<[!?/a-z]|PK[\u0001-\u0008]|\u007fELF|MZ|%!PS|#!/i;

/** The part of a file that is a PDF: from the first byte of the header up to `end`, in bytes. */
export interface PdfPart {
  start: number;
  end: number;
}

/**
 * Where the PDF in a file begins and ends; undefined for what is none. Bytes before the header and after the end mark, as
 * scanners and banks write them, do not belong to it. A file with markup or the signature of another kind around or at the head of the PDF is none. Reads 5 KB at most.
 */
export function pdfPartOf({
  head,
  tail,
  size,
}: Pick<StagedFile, "head" | "tail" | "size">): PdfPart | undefined {
  const first = head.toString("latin1");
  const start = headerPattern.exec(first.slice(0, searchBytes + 8))?.index;
  if (start === undefined || start > searchBytes) return undefined;
  if (foreignPattern.test(first.slice(0, start))) return undefined;
  if (markupPattern.test(first.slice(start, start + searchBytes))) return undefined;
  const last = tail.toString("latin1");
  const mark = last.lastIndexOf(endMark);
  if (mark === -1 || size - last.length + mark <= start) return undefined;
  const after = last.slice(mark + endMark.length);
  if (foreignPattern.test(after)) return undefined;
  const lineEnd = /^(?:\r\n|\r|\n)?/.exec(after)?.[0].length ?? 0;
  return { start, end: size - after.length + lineEnd };
}
