/** What the bytes of a file are, whatever it is called. */
export type SniffedContentType = "image/jpeg" | "image/png" | "application/pdf";

/** Bytes at the start and at the end of a file that tell what it is. */
const edgeBytes = 1024;
/** `latin1` means windows-1252 to a browser, which turns the byte 89 into a per mille sign. */
const jpegMark = "\u00ff\u00d8\u00ff";
const pngMark = "\u2030PNG\r\n\u001a\n";
/** Markup where a browser would look for a page. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)[\s>/]/i;

async function edge(blob: Blob): Promise<string> {
  return new TextDecoder("latin1").decode(await blob.arrayBuffer());
}

/** Tells a JPEG, a PNG and a PDF from everything else by how they begin and, for a PDF, end. */
export async function sniffContentType(blob: Blob): Promise<SniffedContentType | null> {
  const head = await edge(blob.slice(0, edgeBytes));
  if (head.startsWith(jpegMark)) return "image/jpeg";
  if (head.startsWith(pngMark)) return "image/png";
  if (!/^%PDF-[12]\.\d/.test(head) || markup.test(head)) return null;
  const tail = await edge(blob.slice(Math.max(0, blob.size - edgeBytes)));
  return /%%EOF[\s\0]*$/.test(tail) ? "application/pdf" : null;
}
