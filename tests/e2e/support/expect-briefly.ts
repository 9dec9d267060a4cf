import type { Page } from "@playwright/test";

/*
 * What stands on the screen for a second or two only. Asking from outside now and then can miss it
 * on a busy machine, so the watch begins before the action and the page itself does the looking.
 */

/** Does something that shows words, however briefly. Gives the page's time of seeing them, in ms. */
export async function expectBriefly(
  page: Page,
  words: string,
  action: () => Promise<void>,
): Promise<number> {
  const seen = page.waitForFunction(
    (text) => document.querySelector("body")?.innerText.includes(text) === true && Date.now(),
    words,
  );
  const [handle] = await Promise.all([seen, action()]);
  return Number(await handle.jsonValue());
}

/** Does something that leads through an address, however soon the page goes on from there. */
export async function expectNavigationThrough(
  page: Page,
  address: RegExp,
  action: () => Promise<void>,
): Promise<void> {
  await Promise.all([page.waitForURL(address, { waitUntil: "commit" }), action()]);
}
