import { restoreWordLists } from "./word-lists.ts";

/** A pasted text as the editor takes it. */
export interface CleanedPaste {
  readonly html: string;
  /** How many pictures were left out. */
  readonly pictures: number;
}

const dropped = "style, script, meta, link, title, base, xml, colgroup, col, iframe, object, embed";
const pictures = "img, picture, svg, canvas, video, audio";
const blocks =
  "address, article, blockquote, div, dl, figure, h1, h2, h3, h4, h5, h6, hr, ol, p, pre, section, table, ul";
/** Elements that are only a place for styles, or a part of a page. */
const wrappers =
  "span, font, u, ins, small, big, center, article, section, header, footer, main, nav, aside, figure, figcaption, label";

/**
 * Keeps of what Word, Google Docs and web pages put on the clipboard what the library's texts can hold. Styles are read
 * from the attribute: the content security policy forbids the browser to apply them. What the editor copied itself stays as it is.
 */
export function cleanPastedHtml(html: string): CleanedPaste {
  if (html.includes("data-pm-slice")) return { html, pictures: 0 };
  const { body } = new DOMParser().parseFromString(html, "text/html");
  removeComments(body);
  restoreWordLists(body);
  for (const element of body.querySelectorAll(dropped)) element.remove();
  const count = removePictures(body);
  unwrapOfficeElements(body);
  restoreMarks(body);
  for (const element of body.querySelectorAll(wrappers)) unwrap(element);
  cleanLinks(body);
  flattenDivisions(body);
  nestLists(body);
  lowerHeadings(body);
  giveTablesAHead(body);
  removeEmptyBlocks(body);
  removeAttributes(body);
  return { html: body.innerHTML.trim(), pictures: count };
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function rename(element: Element, tag: string): Element {
  const renamed = element.ownerDocument.createElement(tag);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function styleOf(element: Element): string {
  return (element.getAttribute("style") ?? "").toLowerCase();
}

function isBlank(text: string): boolean {
  return /^[\s\u00A0\u200B]*$/u.test(text);
}

/** Comments, among them the conditional ones of Word. */
function removeComments(root: Element): void {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode()) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
}

function removePictures(root: Element): number {
  const found = [...root.querySelectorAll(pictures)].filter(
    (picture) => picture.parentElement?.closest(pictures) === null,
  );
  for (const picture of found) picture.remove();
  return found.length;
}

/** `o:p`, `w:sdt`, `st1:place` and their kind. */
function unwrapOfficeElements(root: Element): void {
  for (const element of root.querySelectorAll("*")) {
    if (element.localName.startsWith("v:")) element.remove();
    else if (element.localName.includes(":")) {
      if (isBlank(element.textContent)) element.remove();
      else unwrap(element);
    }
  }
}

const markStyles = [
  ["strong", /(?<!-)font-weight:\s*(?:bold|[6-9]\d\d)/],
  ["em", /(?<!-)font-style:\s*italic/],
  ["s", /text-decoration[^;]{0,60}line-through/],
] as const;

/** Bold, italic and struck words stay, whether they were written as elements or as styles. */
function restoreMarks(root: Element): void {
  for (const element of root.querySelectorAll("b, strong, i, em")) {
    // Google Docs wraps everything in <b style="font-weight:normal">.
    if (/(?<!-)font-(?:weight|style):\s*(?:normal|[1-4]00)/.test(styleOf(element))) unwrap(element);
  }
  for (const element of root.querySelectorAll("span[style], font[style]")) {
    for (const [tag, style] of markStyles) {
      if (!style.test(styleOf(element)) || isBlank(element.textContent)) continue;
      const mark = root.ownerDocument.createElement(tag);
      mark.append(...element.childNodes);
      element.append(mark);
    }
  }
  // Headings are bold already.
  for (const mark of root.querySelectorAll(":is(h1, h2, h3, h4, h5, h6) :is(b, strong)")) {
    unwrap(mark);
  }
}

function cleanLinks(root: Element): void {
  for (const link of root.querySelectorAll("a")) {
    const address = addressOf(link.getAttribute("href") ?? "");
    if (address === null || isBlank(link.textContent)) unwrap(link);
    else link.setAttribute("href", address);
  }
}

/** Where a link leads, without the detour by which Google counts; null for marks within the document and files. */
function addressOf(href: string): string | null {
  if (!/^https?:\/\//i.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.hostname !== "www.google.com" || url.pathname !== "/url") return href;
  return url.searchParams.get("q") ?? href;
}

function flattenDivisions(root: Element): void {
  for (const division of [...root.querySelectorAll("div")].toReversed()) {
    if (division.querySelector(blocks) === null) rename(division, "p");
    else unwrap(division);
  }
  // Between blocks a line break is an empty line.
  for (const lineBreak of root.querySelectorAll("br")) {
    const parent = lineBreak.parentElement;
    if (parent !== null && parent.matches("body, blockquote") && parent.querySelector(blocks)) {
      lineBreak.remove();
    }
  }
}

/** Google Docs puts an inner list beside the item it belongs to. */
function nestLists(root: Element): void {
  for (const list of root.querySelectorAll(":is(ul, ol) > :is(ul, ol)")) {
    const item = list.previousElementSibling;
    if (item?.tagName === "LI") item.append(list);
  }
}

/** The title is the only heading of the first level, so all move down when there is one; the fourth is the lowest. */
function lowerHeadings(root: Element): void {
  const down = root.querySelector("h1") === null ? 0 : 1;
  for (const heading of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(4, Number(heading.tagName.slice(1)) + down);
    if (heading.tagName !== `H${level}`) rename(heading, `h${level}`);
  }
}

/** Tables in Markdown have a head. */
function giveTablesAHead(root: Element): void {
  for (const table of root.querySelectorAll("table")) {
    if (table.querySelector("th") !== null) continue;
    for (const cell of table.querySelector("tr")?.querySelectorAll("td") ?? []) rename(cell, "th");
  }
}

function removeEmptyBlocks(root: Element): void {
  for (const block of root.querySelectorAll("p, h2, h3, h4, b, strong, i, em, s")) {
    if (!isBlank(block.textContent) || block.querySelector("hr, table") !== null) continue;
    // A cell keeps its paragraph; words keep the space between them.
    if (block.matches("b, strong, i, em, s")) unwrap(block);
    else if (block.closest("td, th") === null) block.remove();
  }
}

const keptAttributes: Readonly<Record<string, string>> = { A: "href", OL: "start" };

function removeAttributes(root: Element): void {
  for (const element of root.querySelectorAll("*")) {
    for (const name of element.getAttributeNames()) {
      if (keptAttributes[element.tagName] !== name) element.removeAttribute(name);
    }
  }
}
