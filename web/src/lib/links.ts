/** A part of a message: plain text, or a link. */
export type TextSegment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const address = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/giu;
/** Punctuation at the end of a sentence, which is rarely part of the address before it. */
const trailing = ".,;:!?…»”’*_~";

/**
 * Splits a text into links and plain text. Only http and https addresses with a host become links,
 * and the text of a link is its address.
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

/** Where the addresses of a text stand, as pairs of start and end. */
export function addressRanges(text: string): readonly (readonly [number, number])[] {
  let end = 0;
  return splitLinks(text).flatMap(({ kind, text: part }) => {
    end += part.length;
    return kind === "link" ? [[end - part.length, end] as const] : [];
  });
}

/**
 * An address without the punctuation after it, and without closing brackets that none in the address opens. One pass
 * from the end: members choose these texts, and a run of signs must not cost more than its length.
 */
function withoutTail(found: string): string {
  let unopened = 0;
  for (const sign of found) unopened += sign === ")" ? 1 : sign === "(" ? -1 : 0;
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    if (last === ")" && unopened > 0) unopened -= 1;
    else if (!trailing.includes(last)) break;
  }
  return found.slice(0, end);
}

/**
 * The full address of a safe link, else null. Addresses with a user name or password are refused.
 */
function safeAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const web = url.protocol === "http:" || url.protocol === "https:";
  return web && url.hostname !== "" && url.username === "" && url.password === "" ? url.href : null;
}
