/** A line of two versions: in both, only in the newer, or only in the older. */
export interface DifferenceLine {
  readonly kind: "same" | "added" | "removed";
  readonly text: string;
}

/** The shortest way from the older lines to the newer ones. */
export function differenceOf(
  older: readonly string[],
  newer: readonly string[],
): readonly DifferenceLine[] {
  let start = 0;
  while (start < older.length && start < newer.length && older[start] === newer[start]) start += 1;
  let end = 0;
  const shortest = Math.min(older.length, newer.length) - start;
  while (end < shortest && older.at(-1 - end) === newer.at(-1 - end)) end += 1;
  const same = (text: string): DifferenceLine => ({ kind: "same", text });
  return [
    ...older.slice(0, start).map(same),
    ...changedLines(older.slice(start, older.length - end), newer.slice(start, newer.length - end)),
    ...older.slice(older.length - end).map(same),
  ];
}

/** Compares by the longest common subsequence, from the end to the beginning. */
function changedLines(older: readonly string[], newer: readonly string[]): DifferenceLine[] {
  const width = newer.length + 1;
  const common = new Uint32Array((older.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = older.length - 1; i >= 0; i -= 1) {
    for (let j = newer.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        older[i] === newer[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DifferenceLine[] = [];
  let [i, j] = [0, 0];
  while (i < older.length || j < newer.length) {
    if (i < older.length && j < newer.length && older[i] === newer[j]) {
      lines.push({ kind: "same", text: older[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= newer.length || (i < older.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: older[i] ?? "" });
      i += 1;
    } else {
      lines.push({ kind: "added", text: newer[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** The changed lines with a few of their neighbours; null marks what was left out. */
export function shortened(
  lines: readonly DifferenceLine[],
  around: number,
): readonly (DifferenceLine | null)[] {
  const isNear = (index: number) =>
    lines
      .slice(Math.max(0, index - around), index + around + 1)
      .some(({ kind }) => kind !== "same");
  const shown: (DifferenceLine | null)[] = [];
  lines.forEach((line, index) => {
    if (isNear(index)) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== null) shown.push(null);
  });
  return shown;
}
