import { readFileSync } from "node:fs";

/** In order of dependency: each file only needs those before it. */
const scriptFiles = [
  "errors.js",
  "requests.js",
  "listeners.js",
  "card-frame.js",
  "frame-port.js",
  "frame-element.js",
  "card-element.js",
  "challenge.js",
  "payment-element.js",
  "payments.js",
  "setups.js",
  "confirm-elements.js",
  "stripe.js",
];

/**
 * The script that sets `window.Stripe`. It must be one classic script, because the loader looks for the
 * global when the tag has loaded, so the modules in browser/page are joined into one function without their
 * imports and exports. Their top-level names must therefore differ.
 */
export function browserScript(): string {
  const parts = scriptFiles.map((name) => {
    const source = readFileSync(new URL(`browser/page/${name}`, import.meta.url), "utf8");
    return source.replaceAll(/^import [^;]*;\n/gm, "").replaceAll(/^export (?=\w)/gm, "");
  });
  return `(() => {\n"use strict";\n${parts.join("\n")}})();\n`;
}
