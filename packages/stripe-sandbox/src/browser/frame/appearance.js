/** Style properties that Stripe documents for Elements. */
const allowedProperties = new Set([
  "backgroundColor",
  "color",
  "fontFamily",
  "fontSize",
  "fontSmoothing",
  "fontStyle",
  "fontVariant",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "textAlign",
  "textDecoration",
  "textShadow",
  "textTransform",
]);

const variantSelectors = {
  base: ".field",
  empty: ".field.is-empty",
  complete: ".field.is-complete",
  invalid: ".field.is-invalid",
};

const pseudoSelectors = [
  ":hover",
  ":focus",
  ":disabled",
  "::placeholder",
  "::selection",
  ":-webkit-autofill",
];

const kebab = (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Turns the element's `style` option into CSS rules. Values are set through the CSS object model, which prevents
 * injection.
 */
export function applyStyle(sheet, style) {
  while (sheet.cssRules.length > 0) sheet.deleteRule(0);
  for (const [variant, selector] of Object.entries(variantSelectors)) {
    const given = style?.[variant];
    if (!given) continue;
    addRule(sheet, selector, given);
    for (const pseudo of pseudoSelectors) {
      if (given[pseudo]) addRule(sheet, selector + pseudo, given[pseudo]);
    }
  }
}

function addRule(sheet, selector, values) {
  const place = sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
  const { style } = sheet.cssRules[place];
  for (const [name, value] of Object.entries(values)) {
    if (!allowedProperties.has(name)) continue;
    style.setProperty(kebab(name), String(value));
    // Filled-in fields take their colour from the text fill alone.
    if (name === "color") style.setProperty("-webkit-text-fill-color", String(value));
    if (name === "color" && selector === ".field") style.setProperty("caret-color", String(value));
  }
}
