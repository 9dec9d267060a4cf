/** A part of a message: plain text, or a link. */
export type TextSegment =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly href: string };

const address = /\bhttps?:\/\/[^\s<>"'`{}|\\^]+/giu;
/* Punctuation at the end of a sentence is rarely part of the address before it. */
const trailing = /[.,;:!?…»”’*_~]+$/u;

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

function withoutTail(found: string): string {
  let shown = found.replace(trailing, "");
  /* A closing bracket without an opening one in the address is not part of it. */
  while (shown.endsWith(")") && count(shown, ")") > count(shown, "(")) {
    shown = shown.slice(0, -1).replace(trailing, "");
  }
  return shown;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
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
