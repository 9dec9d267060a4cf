/** A stretch of a message: plain words, or an address that may be followed. */
export type TextSegment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const address = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/giu;
/* What ends a sentence rarely belongs to the address before it. */
const trailing = /[.,;:!?…»”’*_~]+$/u;

/**
 * Finds the addresses in a text. Only http and https with a host are ever links, and what is shown
 * is what is followed; everything else stays text.
 */
export function splitLinks(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let done = 0;
  for (const match of text.matchAll(address)) {
    const shown = withoutTail(match[0]);
    const href = safeAddress(shown);
    if (href === null) continue;
    if (match.index > done) segments.push({ kind: "text", text: text.slice(done, match.index) });
    segments.push({ kind: "link", text: shown, href });
    done = match.index + shown.length;
  }
  if (done < text.length) segments.push({ kind: "text", text: text.slice(done) });
  return segments;
}

function withoutTail(found: string): string {
  let shown = found.replace(trailing, "");
  /* A bracket that was opened before the address is closed after it. */
  while (shown.endsWith(")") && count(shown, ")") > count(shown, "(")) {
    shown = shown.slice(0, -1).replace(trailing, "");
  }
  return shown;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** The address in full when it may be followed, else null. Names and passwords in it are refused. */
function safeAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const web = url.protocol === "http:" || url.protocol === "https:";
  return web && url.hostname !== "" && url.username === "" && url.password === "" ? url.href : null;
}
