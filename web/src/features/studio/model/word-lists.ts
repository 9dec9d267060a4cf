// Word writes lists as paragraphs: `mso-list` in their style names list and level, and the bullet or number is part of the text.

interface WordItem {
  readonly paragraph: Element;
  /** From 1. */
  readonly level: number;
  /** The number it begins with; null in a list with bullets. */
  readonly number: number | null;
}

const listStyle = /mso-list:\s*l\d+\s+level(\d+)/i;
const ignoredStyle = /mso-list:\s*ignore/i;
/** `1.`, `(2)`, `b)` or `iv.`, but not the `o` of a bullet. */
const numberMarker = /^\(?(?:(\d+)|[a-z]{1,2}|[ivxlcdm]+)[.)]$/i;

function styleOf(element: Element): string {
  return element.getAttribute("style") ?? "";
}

/** The item a paragraph is, without its marker; null for other paragraphs. */
function takeItem(paragraph: Element): WordItem | null {
  const level = listStyle.exec(styleOf(paragraph))?.[1];
  if (level === undefined) return null;
  const markers = [...paragraph.querySelectorAll("[style]")].filter((each) =>
    ignoredStyle.test(styleOf(each)),
  );
  const text = markers.map(({ textContent }) => textContent).join("");
  const found = numberMarker.exec(text.replaceAll(/\s/gu, ""));
  for (const marker of markers) marker.remove();
  return {
    paragraph,
    level: Number(level),
    number: found === null ? null : Number(found[1] ?? 1),
  };
}

function makeList(document: Document, { number }: WordItem): Element {
  const list = document.createElement(number === null ? "ul" : "ol");
  if (number !== null && number !== 1) list.setAttribute("start", String(number));
  return list;
}

/** Writes items that follow each other as lists within lists, in their place. */
function writeLists(items: readonly WordItem[]): void {
  /** The open lists, each with its level, the outermost first. */
  const open: { level: number; list: Element }[] = [];
  for (const item of items) {
    while ((open.at(-1)?.level ?? 0) > item.level) open.pop();
    const tag = item.number === null ? "UL" : "OL";
    if (open.at(-1)?.level === item.level && open.at(-1)?.list.tagName !== tag) open.pop();
    const above = open.at(-1);
    if (above === undefined || above.level < item.level) {
      const list = makeList(item.paragraph.ownerDocument, item);
      if (above === undefined) item.paragraph.before(list);
      else (above.list.lastElementChild ?? above.list).append(list);
      open.push({ level: item.level, list });
    }
    const entry = item.paragraph.ownerDocument.createElement("li");
    item.paragraph.removeAttribute("style");
    open.at(-1)?.list.append(entry);
    entry.append(item.paragraph);
  }
}

/** Makes lists of the paragraphs that Word writes for them. */
export function restoreWordLists(root: Element): void {
  let run: WordItem[] = [];
  let last: Element | null = null;
  for (const paragraph of root.querySelectorAll("p, h1, h2, h3, h4, h5, h6")) {
    const follows = last !== null && paragraph.previousElementSibling === last;
    if (!follows) {
      writeLists(run);
      run = [];
    }
    const item = paragraph.tagName === "P" ? takeItem(paragraph) : null;
    last = item === null ? null : paragraph;
    if (item !== null) run.push(item);
  }
  writeLists(run);
}
