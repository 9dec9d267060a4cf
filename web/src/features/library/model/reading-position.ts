/**
 * Where a reader stopped, as a share of the text from 0 to 1, so that it holds at any width. It is
 * kept in two places, neither of them storage: the entry of the tab's history (for reload, back and
 * forward) and the memory of the running app (for coming back by a link).
 */
const memory = new Map<string, number>();

interface HistoryEntry {
  readonly readingPosition?: unknown;
}

/** Positions below and above these fractions are not restored. */
const [start, end] = [0.03, 0.97];

function kept(value: unknown): number | null {
  return typeof value === "number" && value >= start && value <= end ? value : null;
}

/** The position stored in the current history entry, for reload, back and forward. */
export function positionOfVisit(history: Pick<History, "state">): number | null {
  return kept((history.state as HistoryEntry | null)?.readingPosition);
}

/** The position of an earlier visit to this text. */
export function positionOfText(textId: string): number | null {
  return kept(memory.get(textId));
}

/** Remembers the position for a return by link. The id combines user and text. */
export function rememberPosition(textId: string, share: number): void {
  memory.set(textId, share);
}

/** Stores the position in the current history entry, beside the router's state. */
export function savePositionInHistory(
  history: Pick<History, "state" | "replaceState">,
  share: number,
): void {
  const entry = (history.state ?? {}) as HistoryEntry;
  history.replaceState({ ...entry, readingPosition: share }, "");
}

/** How much of a text has passed the eye: 0 at its first line, 1 when its last is on the screen. */
export function readFraction(text: { top: number; height: number }, windowHeight: number): number {
  const way = text.height - windowHeight * 0.8;
  if (way <= 0) return text.top + text.height <= windowHeight ? 1 : 0;
  return Math.min(1, Math.max(0, (windowHeight * 0.2 - text.top) / way));
}

/**
 * The way back from {@link readFraction}: how far down the page a share of the text is, in pixels.
 */
export function scrollOffsetOf(
  share: number,
  text: { top: number; height: number },
  windowHeight: number,
): number {
  const way = Math.max(0, text.height - windowHeight * 0.8);
  return Math.max(0, text.top - windowHeight * 0.2 + share * way);
}
