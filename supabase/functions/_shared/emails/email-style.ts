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
}`;
