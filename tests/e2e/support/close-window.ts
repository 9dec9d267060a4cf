import type { Page } from "@playwright/test";
import { expect } from "./test.ts";

/**
 * Waits until the entries of all dialogs and menus have left the history: a page that is opened before that would be left
 * again by the way back.
 */
export async function untilWindowsClosed(page: Page): Promise<void> {
  const marked = () => (history.state as { openWindows?: number } | null)?.openWindows ?? 0;
  await expect.poll(() => page.evaluate(marked)).toBe(0);
}

/** Closes the topmost dialog, which is the only one, and waits until its entry has left the history. */
export async function closeWithEscape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await untilWindowsClosed(page);
}
