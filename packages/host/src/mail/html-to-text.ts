// Plain-text version of HTML e-mails, and the escaping of text for HTML.

import { compile, type FormatCallback } from "html-to-text";

/** Escapes text for use between tags or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** A link as its label and, on the next line, its address; the address alone when the label is the same. */
const formatLink: FormatCallback = (element, walk, builder) => {
  const attributes = element.attribs as Readonly<Record<string, string>>;
  const address = attributes["href"] ?? "";
  let label = "";
  builder.pushWordTransform((word) => {
    label += word;
    return word;
  });
  walk(element.children, builder);
  builder.popWordTransform();
  if (address === "" || address === label) return;
  if (label !== "") {
    builder.addInline(":", { noWordTransform: true });
    builder.addLineBreak();
  }
  builder.addInline(address, { noWordTransform: true });
};

/** Elements nested deeper are left out; the converter calls itself for each level. */
const maxDepth = 100;

const convert = compile({
  wordwrap: false,
  limits: { maxDepth },
  formatters: { link: formatLink },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "title", format: "skip" },
    { selector: "img", format: "skip" },
    // Such as the words that mail readers show beside the subject.
    { selector: "[hidden]", format: "skip" },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
      selector,
      options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 },
    })),
  ],
});

/** Converts the HTML of an e-mail to plain text: paragraphs, and links with their URLs. */
export function htmlToText(html: string): string {
  // Plain text shows a no-break space as any other, and some readers as a strange character.
  return convert(html).replaceAll("\u00a0", " ");
}
