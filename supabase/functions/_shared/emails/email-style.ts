/**
 * The product's colours of `web/src/ui/styles/tokens.css` as hex, because many mail readers know no other notation and
 * no variables.
 */
export const colours = {
  paper: "#fbfaf7",
  raised: "#ffffff",
  sunken: "#f4f3ef",
  ink: "#171b26",
  muted: "#585d69",
  line: "#dfdeda",
} as const;

/** The four strokes of the mark, one for each level: colour, the same for the dark, and height in pixels. */
const strokes = [
  ["#0072a3", "#5eb6e6", 6],
  ["#6e44bc", "#b49cf7", 10],
  ["#a45e00", "#eeb154", 15],
  ["#007047", "#5ecd97", 20],
] as const;

/** The mark beside the product's name, out of table cells: mail readers block pictures, and know no SVG. */
export const markHtml = `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:separate;"><tr>${strokes
  .map(
    ([colour, , height], place) =>
      `<td style="padding:0 3px 0 0;vertical-align:bottom;font-size:0;line-height:0;"><div class="stroke-${place + 1}" style="width:4px;height:${height}px;border-radius:2px;background:${colour};"></div></td>`,
  )
  .join("")}</tr></table>`;

/** For mail readers that follow the reader's dark setting; all others keep the inline colours. */
export const emailStyle = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #0d0f15 !important; }
  .card { background: #161a22 !important; border-color: #2b2f39 !important; }
  .ink, .link { color: #efeeea !important; }
  .muted { color: #a0a4b0 !important; }
  .line { border-color: #2b2f39 !important; }
  .quote { background: #0b0d12 !important; border-color: #2b2f39 !important; color: #efeeea !important; }
  .button { background: #efeeea !important; color: #0d0f15 !important; }
${strokes.map(([, dark], place) => `  .stroke-${place + 1} { background: ${dark} !important; }`).join("\n")}
}`;
