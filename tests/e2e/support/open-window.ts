import type { Browser, Page } from "@playwright/test";
import { seedSession, type Account } from "./accounts.ts";
import { running } from "./running-product.ts";

/** Another member's browser beside the test's own; it closes with the test's browser. */
export async function openWindow(browser: Browser, account: Account, path: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: running().host.url,
    locale: "en-GB",
    timezoneId: "Europe/London",
  });
  await seedSession(context, account);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}
