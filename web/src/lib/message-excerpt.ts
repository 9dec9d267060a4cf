const before = String.raw`(^|[\s([{"'“‘*_~—–])`;
const after = String.raw`(?=$|[\s)\]}"'”’.,;:!?…*_~-])`;
const fences = /^[ \t]*(?:`{3,}|~{3,})[\w+#.-]{0,20}[ \t]*$/gmu;
const code = /`([^`\n]+)`/gu;
// An address may be cut off at the end.
const links = /\[([^[\]\n]+)\]\((?:https?:\/\/|mailto:)[^\s()]+(?:\)|$)/giu;
const bold = new RegExp(String.raw`${before}\*\*(\S|\S[^\n]*?\S)\*\*${after}`, "gu");
const italic = new RegExp(String.raw`${before}([*_])(\S|\S[^*_\n]*\S)\2${after}`, "gu");

/**
 * The beginning of a message without its Markdown, for a quote or a notification. It may have been
 * cut in the middle of markup, so it is not parsed: complete pairs of markers go, others stay.
 * @param maxLength More than an excerpt shows.
 */
export function messageExcerpt(text: string, maxLength = 300): string {
  const start = text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
  const plain = start
    .replaceAll(fences, "")
    .replaceAll(code, "$1")
    .replaceAll(links, "$1")
    .replaceAll(bold, "$1$2")
    .replaceAll(italic, (all: string, lead: string, mark: string, inner: string) =>
      /[\p{L}\p{N}]/u.test(inner) && lead !== mark && !inner.startsWith(mark) ? lead + inner : all,
    )
    .trim();
  return plain === "" ? start : plain;
}
