// Which markers count. Members write prose, code and faces as well as Markdown: what CommonMark takes for markup
// in `2*3*4`, `__init__` or `¯\_(ツ)_/¯` stays as typed.

const mayStandBefore = /^[\s\p{Ps}\p{Pi}\p{Extended_Pictographic}"'*_~—–]$/u;
const mayStandAfter = /^[\s\p{Pe}\p{Pf}\p{Pd}\p{Extended_Pictographic}"'.,;:!?…*_~]$/u;
const hasLetter = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const host = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,9}\.\p{L}{2,63}/gu;
const mailAddress = /^[^\s@?&]+@[^\s@?&][^\s@?&.]*\.[^\s@?&]+$/u;
// More digits are a year or an amount at the beginning of a line.
const maxNumberDigits = 3;

/** Whether the text from `start` to `end`, its markers included, is emphasis and not prose. */
export function isEmphasis(source: string, start: number, end: number): boolean {
  if (source.startsWith("__", start)) return false;
  const before = Array.from(source.slice(Math.max(0, start - 2), start)).at(-1);
  const after = Array.from(source.slice(end, end + 2))[0];
  return (
    (before === undefined || mayStandBefore.test(before)) &&
    (after === undefined || mayStandAfter.test(after)) &&
    hasLetter.test(source.slice(start, end))
  );
}

/** The number of an item of an ordered list, null of another; undefined when it is no marker we show as a list. */
export function itemNumber(typed: string): number | null | undefined {
  if (/^[-*][ \t]/u.test(typed)) return null;
  const digits = /^(\d+)\.[ \t]/u.exec(typed)?.[1];
  return digits !== undefined && digits.length <= maxNumberDigits ? Number(digits) : undefined;
}

/** Whether the text between fences is code: the block is closed, says something, and names at most a language. */
export function isCodeBlock(typed: string, value: string): boolean {
  const lines = typed.split(/\r\n|\r|\n/u);
  return (
    value.trim() !== "" &&
    /^\s*(?:`{3,}|~{3,})[ \t]*(?:[\w+#.-]{1,20}[ \t]*)?$/u.test(lines[0] ?? "") &&
    /^\s*(?:`{3,}|~{3,})[ \t]*$/u.test(lines.at(-1) ?? "")
  );
}

/**
 * The address of a link with a text of its own, null when it is shown as typed: other schemes than http, https and
 * mailto, names or passwords in the address, and texts that name another site than the one behind them.
 */
export function labelledAddress(label: string, address: string): string | null {
  if (!hasLetter.test(label) || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isMail = url.protocol === "mailto:" && mailAddress.test(url.pathname);
  const isWeb = /^https?:\/\//iu.test(address) && url.username === "" && url.password === "";
  if (!isMail && !(isWeb && url.hostname !== "")) return null;
  const site = withoutWww(isMail ? (url.pathname.split("@")[1] ?? "") : url.hostname);
  const namesSameSite = [...label.matchAll(host)].every(([named]) => withoutWww(named) === site);
  return namesSameSite && (isMail || !label.includes("@")) ? url.href : null;
}

function withoutWww(name: string): string {
  return name.toLowerCase().replace(/^www\./u, "");
}
