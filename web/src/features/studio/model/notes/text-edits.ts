/** What takes the place of a part of a text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text after its edits. */
export interface EditedText {
  readonly text: string;
  /** The place in the text before that a place in the text after comes from. */
  readonly placeBefore: (offset: number) => number;
}

/** Makes edits that don't overlap; one that overlaps an earlier one is left out. */
export function applyEdits(before: string, edits: readonly TextEdit[]): EditedText {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const parts: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  let done = 0;
  let length = 0;
  const add = (from: number, text: string) => {
    parts.push({ from, to: length, text });
    length += text.length;
  };
  for (const { start, end, text } of sorted) {
    if (start < done) continue;
    add(done, before.slice(done, start));
    add(start, text);
    done = end;
  }
  add(done, before.slice(done));
  return {
    text: parts.map((part) => part.text).join(""),
    placeBefore: (offset) => {
      const part = parts.findLast(({ to }) => to <= offset);
      return part === undefined ? 0 : part.from + Math.min(offset - part.to, part.text.length);
    },
  };
}

/** The number of the line, from 1, on which a place lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
