import { brand } from "../product/brand.ts";
import { escapeHtml } from "../emails/render-email.ts";

/** What a shared card says. */
export interface ShareCard {
  readonly name: string;
  readonly title: string;
  readonly line: string;
  /** A day, such as `2026-11-25`. */
  readonly day: string;
}

/** In pixels: what networks show a link's picture at. */
export const cardSize = { width: 1200, height: 630 } as const;

const margin = 80;
const colours = {
  paper: "#fbfaf7",
  ink: "#161b24",
  muted: "#585e69",
  line: "#dfded8",
  community: "#0072a3",
  knowledge: "#6e44bc",
  business: "#a45e00",
  wealth: "#007047",
} as const;
const serif = "Georgia, 'Liberation Serif', 'Times New Roman', serif";
const sans = "Inter, Arial, 'Liberation Sans', Helvetica, sans-serif";

/** The rising line of the product in a 400 × 84 box, as `web/src/ui/rising-line.tsx` draws it. */
const risingLine = [
  ["M4 78 C 34 78 66 72 100 62", 100, 62, colours.community],
  ["M100 62 C 134 52 164 53 200 44", 200, 44, colours.knowledge],
  ["M200 44 C 236 35 266 34 300 23", 300, 23, colours.business],
  ["M300 23 C 334 12 362 10 394 6", 394, 6, colours.wealth],
] as const;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const lettersOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Text that XML allows: without control characters, lone surrogates, and characters that turn the writing direction. */
function tidy(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(
      /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu,
      " ",
    )
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** Estimated width in units of the font size: capitals and wide scripts need more than small letters. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of lettersOf(text)) {
    if (/^[\u1100-\uffdc\u{1f000}-\u{3ffff}]/u.test(letter)) width += 1.05;
    else if (/^[\p{Lu}mwMW@%&]/u.test(letter)) width += 0.72;
    else width += /^[ .,:;'|!ijl]/.test(letter) ? 0.3 : 0.53;
  }
  return width;
}

/** Shortens a text to a width in pixels, with an ellipsis. */
function fit(text: string, fontSize: number, maxWidth: number): string {
  if (widthOf(text) * fontSize <= maxWidth) return text;
  const letters = lettersOf(text);
  while (letters.length > 0 && widthOf(`${letters.join("")}…`) * fontSize > maxWidth) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** Breaks a text into at most `maxLines` lines; the last one is shortened. */
function wrap(text: string, fontSize: number, maxWidth: number, maxLines: number): string[] {
  const lines: string[] = [];
  let rest = text.split(" ");
  while (rest.length > 0 && lines.length < maxLines - 1) {
    let taken = 1;
    while (
      taken < rest.length &&
      widthOf(rest.slice(0, taken + 1).join(" ")) * fontSize <= maxWidth
    ) {
      taken += 1;
    }
    lines.push(fit(rest.slice(0, taken).join(" "), fontSize, maxWidth));
    rest = rest.slice(taken);
  }
  if (rest.length > 0) lines.push(fit(rest.join(" "), fontSize, maxWidth));
  return lines;
}

function longDay(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  return noon.toLocaleDateString(brand.locale, {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

function textAt(y: number, fontSize: number, colour: string, family: string, text: string): string {
  return `<text x="${margin}" y="${y}" font-family="${family}" font-size="${fontSize}" fill="${colour}" direction="ltr">${escapeHtml(text)}</text>`;
}

/**
 * Draws a card as SVG of 1200 × 630. It holds shapes and escaped text alone: no script, style, link, picture or font from
 * elsewhere.
 */
export function drawShareCard(card: ShareCard): string {
  const { width, height } = cardSize;
  const room = width - 2 * margin;
  const titleSize = tidy(card.title).length > 60 ? 56 : 72;
  const title = wrap(tidy(card.title), titleSize, room, 2);
  const titleTop = 292 - (title.length - 1) * titleSize * 0.55;
  const bars = [10, 17, 24, 31].map((bar, index) => {
    const [, , , colour] = risingLine[index] ?? risingLine[0];
    return `<path d="M${margin + 4 + index * 12} 104v-${bar}" stroke="${colour}" stroke-width="6"/>`;
  });
  const strokes = risingLine.map(
    ([path, x, y, colour]) =>
      `<path d="${path}" stroke="${colour}" stroke-width="2"/><circle cx="${x}" cy="${y}" r="3.6" fill="${colour}" stroke="${colours.paper}" stroke-width="1.4"/>`,
  );
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${colours.paper}"/>`,
    `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" fill="none" stroke="${colours.line}" stroke-width="2"/>`,
    `<g fill="none" stroke-linecap="round">${bars.join("")}</g>`,
    `<text x="${margin + 60}" y="104" font-family="${serif}" font-size="34" fill="${colours.ink}">${escapeHtml(brand.name)}</text>`,
    ...title.map((line, index) =>
      textAt(titleTop + index * titleSize * 1.1, titleSize, colours.ink, serif, line),
    ),
    textAt(
      titleTop + (title.length - 1) * titleSize * 1.1 + 56,
      30,
      colours.muted,
      sans,
      fit(tidy(card.line), 30, room),
    ),
    textAt(504, 34, colours.ink, sans, fit(tidy(card.name), 34, 520)),
    textAt(546, 24, colours.muted, sans, longDay(card.day)),
    `<g fill="none" stroke-linecap="round" transform="translate(660 430) scale(1.15 1.5)">${strokes.join("")}</g>`,
    "</svg>",
  ];
  return parts.join("");
}
