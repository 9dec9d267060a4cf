import { useEffect, type KeyboardEvent, type RefObject } from "react";

const steps: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The row of a queue's item: a button with `data-review`. */
export function findRow(queue: HTMLElement | null, id: string | null): HTMLElement | null {
  return queue?.querySelector<HTMLElement>(`[data-review="${id ?? ""}"]`) ?? null;
}

/**
 * The keys of a queue: J and K move between its rows, from the open one while the focus is in its panel; any other presses the
 * button of the open item that names this key in its `aria-keyshortcuts`.
 */
export function pressQueueKey(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const queue = event.currentTarget;
  // A dialog is a child for React only; text and choices keep their keys.
  if (!queue.contains(target) || target.closest("input, textarea, select") !== null) return;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const step = steps[event.key];
  if (step !== undefined) {
    const rows = [...queue.querySelectorAll<HTMLElement>("[data-review]")];
    const isArrow = event.key.startsWith("Arrow");
    // Arrows scroll an enlarged picture, and move from row to row only on the rows themselves.
    if (isArrow && target.dataset["review"] === undefined) return;
    const here =
      target.closest("li")?.querySelector<HTMLElement>("[data-review]") ??
      rows.find((row) => row.getAttribute("aria-expanded") === "true");
    rows[here ? rows.indexOf(here) + step : 0]?.focus();
    event.preventDefault();
    return;
  }
  const key = event.key === "=" ? "+" : event.key.toLowerCase();
  const button = [...queue.querySelectorAll<HTMLButtonElement>("[aria-keyshortcuts]")].find(
    (each) => each.getAttribute("aria-keyshortcuts")?.split(" ").includes(key),
  );
  if (!button || button.disabled) return;
  event.preventDefault();
  // The window that opens gives the focus back to its button.
  button.focus();
  button.click();
}

/**
 * J and K while nothing on the page has the focus, as on arrival or after a window was closed: they go to the open row, else to
 * the first. Mount it once in a queue, with the part that holds its rows.
 */
export function useQueueKeysOfPage(queue: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.key !== "j" && event.key !== "k") return;
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (!(event.target instanceof Element) || !event.target.matches("body, main")) return;
      // An open window or menu hides the page below it.
      if (queue.current?.closest("[aria-hidden='true']")) return;
      const row =
        queue.current?.querySelector<HTMLElement>("[data-review][aria-expanded='true']") ??
        queue.current?.querySelector<HTMLElement>("[data-review]");
      if (!row) return;
      row.focus();
      event.preventDefault();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [queue]);
}
