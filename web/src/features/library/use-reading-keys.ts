import { useEffect } from "react";

/** What the keys of a reader lead to; a missing one does nothing. */
export interface ReadingKeys {
  readonly next?: (() => void) | undefined;
  readonly previous?: (() => void) | undefined;
  readonly help: () => void;
  /** Letters may be turned off, as speech input types them by accident. Arrows stay. */
  readonly letters: boolean;
}

/** Things that have a use for arrows or letters of their own. */
const owners =
  "input, textarea, select, video, pre, [contenteditable], [role=region], [role=dialog]";

function actionFor({ key, shiftKey }: KeyboardEvent, keys: ReadingKeys) {
  const { next, previous, help, letters } = keys;
  // With Shift the arrows extend what is selected.
  if (key === "ArrowRight") return shiftKey ? undefined : next;
  if (key === "ArrowLeft") return shiftKey ? undefined : previous;
  if (!letters) return undefined;
  return { j: next, k: previous, "?": help }[key];
}

/** Listens for `j` and →, `k` and ←, and `?` while a text is read. */
export function useReadingKeys(keys: ReadingKeys): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(owners) !== null) return;
      if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null) return;
      const action = actionFor(event, keys);
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    // Before the keys of every page: a reader has a list of keys of its own.
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [keys]);
}
