/**
 * True while a key belongs to an input method, such as the Enter that ends a Japanese or Chinese word. Safari sends that
 * Enter after the composition has ended, as key 229.
 * https://bugs.webkit.org/show_bug.cgi?id=165004
 */
export function isComposing(event: Pick<KeyboardEvent, "isComposing" | "keyCode">): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** For windows with a field: Escape during a composition takes back the word, and the window stays with what was typed. */
export function keepOpenWhileComposing(event: KeyboardEvent): void {
  if (isComposing(event)) event.preventDefault();
}
