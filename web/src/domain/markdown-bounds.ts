/** A line of a text at which it is more than readers can be shown at once. */
interface MarkdownBoundIssue {
  readonly line: number;
  readonly message: string;
}

/** Characters of a link's address. A text may use one address thousands of times, so a longer one would be more than browsers hold. */
export const maxLinkLength = 2000;

const maxLines = 5000;
const maxDepth = 20;
const maxOpened = 3000;
const maxPartSigns = 2000;
const maxSigns = 12_000;
const maxCells = 10_000;

/** Lists, quotes and footnotes that begin on a line. */
const opening =
  /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^(?:\\?[^[\]\\ \t]|\\[[\]\\])+\]:))*/u;
/** More of them than are allowed fit into these characters, or there are more spaces between them than are allowed. */
const openingLength = 25_000;
const footnote = /\[\^(?:\\?[^[\]\\ \t]|\\[[\]\\])+\]:/gu;
const emptyQuote = /^ {0,3}>(?: {0,4}>)*[ \t]*$/u;
const tableRule = /^[ \t>|:-]*$/u;

const countOf = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0;

/** Columns that spaces and tabs take. */
const columnsOf = (text: string): number => countOf(text, /[ \t]/gu) + 3 * countOf(text, /\t/gu);

/** Counts of a paragraph, or what else stands between empty lines. */
interface Part {
  signs: number;
  signsLine: number;
  pipes: number;
  pipesLine: number;
  lines: number;
  isTable: boolean;
}

const newPart = (): Part => ({
  signs: 0,
  signsLine: 0,
  pipes: 0,
  pipesLine: 0,
  lines: 0,
  isTable: false,
});

/**
 * The first line at which a text has more Markdown than can be parsed in a moment, with the sentence of the database, which decides
 * (`private.markdown_issue`); null for others. To be asked before a text is parsed.
 */
export function markdownBoundIssue(markdown: string): MarkdownBoundIssue | null {
  const issues: MarkdownBoundIssue[] = [];
  const tell = (line: number, message: string) => issues.push({ line, message });
  const lines = markdown.split(/\r\n?|\n/u);
  if (lines.length > maxLines) {
    tell(maxLines + 1, "The text has over 5,000 lines. Divide it into several texts.");
  }
  let [signs, opened, cells] = [0, 0, 0];
  let part = newPart();
  const endPart = () => {
    if (part.signs > maxPartSigns) {
      tell(
        part.signsLine,
        "This paragraph has over 2,000 of the signs * _ ~ [ ] < & `. Divide it with empty lines.",
      );
    }
    if (!part.isTable) return;
    const before = cells;
    cells += (part.pipes + 1) * part.lines;
    if (before <= maxCells && cells > maxCells) {
      tell(
        part.pipesLine,
        "The tables have over 10,000 cells up to here. Divide the text, or leave rows or columns out.",
      );
    }
  };
  for (const [index, line] of lines.slice(0, maxLines).entries()) {
    const place = index + 1;
    const indentation = /^[ \t]*/u.exec(line)?.[0] ?? "";
    const rest = line.slice(indentation.length);
    if (rest === "" || emptyQuote.test(line)) {
      endPart();
      part = newPart();
    }
    // The signs of a footnote's name are none of lists.
    const prefix = (opening.exec(rest.slice(0, openingLength))?.[0] ?? "").replaceAll(
      footnote,
      ">",
    );
    const begun = countOf(prefix, /[>\-+*.)]/gu);
    // Each but the first is a space away from the one before. What is indented further may be inside of what earlier lines began.
    const columns = columnsOf(indentation) + Math.max(columnsOf(prefix) - begun, 0);
    if (begun > 0 && begun + Math.floor(columns / 2) > maxDepth) {
      tell(
        place,
        "Lists, quotes and footnotes are nested too deeply here. Use at most 20 levels, and indent by 40 columns at most.",
      );
    }
    if (opened <= maxOpened && opened + begun > maxOpened) {
      tell(
        place,
        "The text has over 3,000 list items, quoted lines and footnotes up to here. Divide it into several texts.",
      );
    }
    opened += begun;
    const lineSigns = countOf(line, /[*_~[\]<&`]/gu);
    if (signs <= maxSigns && signs + lineSigns > maxSigns) {
      tell(
        place,
        "The text has over 12,000 of the signs * _ ~ [ ] < & ` up to here. Divide it into several texts.",
      );
    }
    signs += lineSigns;
    const pipes = countOf(line, /\|/gu);
    if (lineSigns > 0 && part.signs === 0) part.signsLine = place;
    if (pipes > 0 && part.pipes === 0) part.pipesLine = place;
    part.signs += lineSigns;
    part.pipes = Math.max(part.pipes, pipes);
    part.lines += 1;
    part.isTable ||= tableRule.test(line) && pipes > 0 && line.includes("-");
  }
  endPart();
  return issues.toSorted((one, other) => one.line - other.line)[0] ?? null;
}
