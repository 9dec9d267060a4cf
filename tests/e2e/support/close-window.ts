import type { Page } from "@playwright/test";
import { expect } from "./test.ts";

/**
 * Closes the topmost dialog, and waits until its entry has left the history: a page that is opened before that would be left
 * again by the way back.
 */
export async function closeWithEscape(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  const marked = () => (history.state as { openWindows?: number } | null)?.openWindows ?? 0;
  await expect.poll(() => page.evaluate(marked)).toBe(0);
}
