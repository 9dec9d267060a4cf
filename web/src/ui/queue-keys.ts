import { useEffect, type KeyboardEvent, type RefObject } from "react";
import { isLetterKey, letterKeysWanted } from "@/domain/letter-keys.ts";

const steps: Readonly<Record<string, 1 | -1>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** The row of a queue's item: a button with `data-row`, or what can have the focus in a list without panels. */
export function findRow(queue: HTMLElement | null, id: string | null): HTMLElement | null {
  return queue?.querySelector<HTMLElement>(`[data-row="${id ?? ""}"]`) ?? null;
}

/** The row of the open item; undefined while none is. */
const openRow = (queue: HTMLElement): HTMLElement | undefined =>
  queue.querySelector<HTMLElement>("[data-row][aria-expanded='true']") ?? undefined;

/** Moves the focus to the open item: beside the rows, or below its own row where there is no room. */
function enterPanel(queue: HTMLElement, row: HTMLElement): void {
  const panel = queue.querySelector("[data-queue-panel]") ?? row.nextElementSibling;
  if (!(panel instanceof HTMLElement)) return;
  if (!panel.hasAttribute("tabindex")) panel.tabIndex = -1;
  panel.focus();
}

/**
 * The keys of a queue: J and K move between its rows, from the open one while the focus is in its panel; Enter or Space opens a
 * row and leads from an open one into its panel, Escape closes it; any other presses the button of the open item that names this
 * key in its `aria-keyshortcuts`.
 */
export function pressQueueKey(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  const queue = event.currentTarget;
  // A dialog is a child for React only; text and choices keep their keys.
  if (!queue.contains(target) || target.closest("input, textarea, select") !== null) return;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (isLetterKey(event.key) && !letterKeysWanted()) return;
  const opened = openRow(queue);
  if (opened && target === opened && (event.key === "Enter" || event.key === " ")) {
    // Without it the button would close what the key has just opened.
    event.preventDefault();
    enterPanel(queue, opened);
    return;
  }
  // A form in the panel keeps what is typed: its own button closes it.
  if (opened && event.key === "Escape" && !event.defaultPrevented && !target.closest("form")) {
    event.preventDefault();
    opened.focus();
    opened.click();
    return;
  }
  const step = steps[event.key];
  if (step !== undefined) {
    const rows = [...queue.querySelectorAll<HTMLElement>("[data-row]")];
    const isArrow = event.key.startsWith("Arrow");
    // Arrows scroll an enlarged picture, and move from row to row only on the rows themselves.
    if (isArrow && target.dataset["row"] === undefined) return;
    // A row may hold a list itself, such as the comments on a post.
    const here = rows.find((each) => each.closest("li, tr")?.contains(target)) ?? opened;
    rows[here ? rows.indexOf(here) + step : 0]?.focus();
    event.preventDefault();
    return;
  }
  if (pressButtonOf(queue, event.key)) event.preventDefault();
}

/** Presses the button that names this key. @returns whether there is one that can be pressed */
function pressButtonOf(queue: HTMLElement, typed: string): boolean {
  const key = typed === "=" ? "+" : typed.toLowerCase();
  const button = [...queue.querySelectorAll<HTMLButtonElement>("[aria-keyshortcuts]")].find(
    (each) => each.getAttribute("aria-keyshortcuts")?.split(" ").includes(key),
  );
  if (!button || button.disabled) return false;
  // The window that opens gives the focus back to its button.
  button.focus();
  button.click();
  return true;
}

/** What keeps its letters: what is written in, and what opens above the page. */
const keepsLetters =
  "input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]";

/** The first row that begins in sight; the first of all when none does. */
function rowInSight(queue: HTMLElement): HTMLElement | undefined {
  const rows = [...queue.querySelectorAll<HTMLElement>("[data-row]")];
  return rows.find((row) => row.getBoundingClientRect().top >= 0) ?? rows[0];
}

/**
 * The keys of a queue while the focus is elsewhere on the page, as on arrival, on the tab that was just chosen, after a window
 * was closed or a click beside everything: J and K go to the open row, else to the first in sight, the others press their buttons.
 * Mount it once in a queue. Of two on one page the first has them.
 */
export function useQueueKeysOfPage(queue: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (!letterKeysWanted()) return;
      if (!(event.target instanceof Element) || event.target.closest(keepsLetters)) return;
      const here = queue.current;
      // An open window or menu hides the page below it. Inside of the queue its own keys have been asked.
      if (!here || here.contains(event.target) || here.closest("[aria-hidden='true']")) return;
      if (event.key !== "j" && event.key !== "k") {
        if (pressButtonOf(here, event.key)) event.preventDefault();
        return;
      }
      const row = openRow(here) ?? rowInSight(here);
      if (!row) return;
      row.focus();
      event.preventDefault();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [queue]);
}
