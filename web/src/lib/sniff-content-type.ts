/** What the bytes of a file are, whatever it is called. */
export type SniffedContentType = "image/jpeg" | "image/png" | "application/pdf";

/** Readers of PDF look for its header and for its end mark among so many first and last bytes. */
const searchBytes = 1024;
const headerBytes = "%PDF-1.7".length;
/** `latin1` means windows-1252 to a browser, which turns the byte 89 into a per mille sign. */
const jpegMark = "\u00ff\u00d8\u00ff";
const pngMark = "\u2030PNG\r\n\u001a\n";
const endMark = "%%EOF";
/** Markup where a browser would look for a page. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)[\s>/]/i;
/** What else a file can be by bytes around a PDF. */
// oxlint-disable-next-line no-control-regex -- Signatures of archives and programs hold such characters.
const foreign = /<[!?/a-z]|PK[\u0001-\u0008]|\u007fELF|MZ|%!PS|#!/i;

async function textOf(blob: Blob): Promise<string> {
  return new TextDecoder("latin1").decode(await blob.arrayBuffer());
}

/** Whether the storage would keep a PDF of a file, which may have other bytes before its header and behind its end. */
async function isPdf(blob: Blob, head: string): Promise<boolean> {
  const start = /%PDF-[12]\.\d/.exec(head.slice(0, searchBytes + headerBytes))?.index;
  if (start === undefined || foreign.test(head.slice(0, start))) return false;
  if (markup.test(head.slice(start, start + searchBytes))) return false;
  const tail = await textOf(blob.slice(Math.max(0, blob.size - searchBytes)));
  const end = tail.lastIndexOf(endMark);
  const isBehind = blob.size - tail.length + end > start;
  return end >= 0 && isBehind && !foreign.test(tail.slice(end + endMark.length));
}

/** Tells a JPEG, a PNG and a PDF from everything else by how they begin and, for a PDF, end. */
export async function sniffContentType(blob: Blob): Promise<SniffedContentType | null> {
  const head = await textOf(blob.slice(0, 2 * searchBytes + headerBytes));
  if (head.startsWith(jpegMark)) return "image/jpeg";
  if (head.startsWith(pngMark)) return "image/png";
  return (await isPdf(blob, head)) ? "application/pdf" : null;
}
