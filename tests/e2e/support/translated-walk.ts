import type { Page } from "@playwright/test";
import { expect, test } from "./test.ts";

const failure = "Unexpected Application Error!";

/** The error page says it in the tab's title, which is not translated. */
export async function expectNoFailure(page: Page): Promise<void> {
  expect(await page.title()).not.toContain(failure);
}

/** Errors that React caught and recovered from, or that ended a page. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("console", (message) => {
    const text = message.text();
    if (/NotFoundError|React Router caught|Failed to execute '/.test(text)) errors.push(text);
  });
  return errors;
}

/**
 * Leads from page to page without loading anew, as links do, and waits until each has all it asked for.
 * @param heading the new page's; a page that stays, with other things on it, may keep its own.
 */
export async function walk(
  page: Page,
  addresses: readonly string[],
  heading = "h1:not([data-left])",
): Promise<void> {
  for (const address of addresses) {
    await test.step(address, async () => {
      await page.evaluate((path) => {
        document.querySelector("h1")?.setAttribute("data-left", "");
        // As the browser does it: the app's own calls go through a history that it watches.
        History.prototype.pushState.call(history, null, "", path);
        dispatchEvent(new PopStateEvent("popstate"));
      }, address);
      await expect(page.locator(heading).first()).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectNoFailure(page);
    });
  }
}
