import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect, type Page } from "@playwright/test";
import { seedSession, type Account } from "./accounts.ts";
import { running } from "./running-product.ts";

export { expect };

interface Fixtures {
  /** Opens the app with a session already there. */
  openAs: (account: Account, path: string) => Promise<void>;
  /** Closes the windows that the test has opened besides its own. */
  closeOtherWindows: undefined;
}

/** Every test fails when its page throws or breaks the content security policy. */
export const test = base.extend<Fixtures>({
  // The product's port is known only once it runs, after the configuration was read.
  // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a destructured first argument.
  baseURL: async ({}, use) => await use(running().host.url),
  page: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    // Not every violation stands on the console: code that is caught trying to compile text reports an event alone.
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
        console.warn(`Content Security Policy: ${effectiveDirective} stopped ${blockedURI}`);
      });
    });
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) errors.push(message.text());
    });
    await use(page);
    expect(errors).toEqual([]);
  },
  // A window that stays open goes on working beside every later test of its worker: it hears what others write, and asks again.
  closeOtherWindows: [
    async ({ browser }, use) => {
      const before = new Set(browser.contexts());
      // oxlint-disable-next-line unicorn/no-useless-undefined -- It gives nothing.
      await use(undefined);
      const opened = browser.contexts().filter((context) => !before.has(context));
      await Promise.all(opened.map(async (context) => await context.close()));
    },
    { auto: true },
  ],
  openAs: async ({ page, context }, use) => {
    await use(async (account, path) => {
      await seedSession(context, account);
      await page.goto(path);
    });
  },
});

/**
 * Waits until the page has drawn what it was last told: work that waits is done, and nothing that ends is still moving. A colour or
 * an opacity on its way has a contrast nobody reads.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
    const moving = () =>
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
        .filter(({ playState }) => playState === "running");
    await frame();
    await idle();
    await frame();
    while (moving().length > 0) {
      await Promise.allSettled(moving().map(({ finished }) => finished));
      await frame();
    }
  });
}

/**
 * What axe finds against WCAG 2.2 AA, or some rules of it, on the page as it stands, one line for each rule broken. The
 * card provider's frame is the provider's business and is left out.
 */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  // Reading the source again takes as long as looking at a small page.
  const isThere = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: "void 0" } : {}) }).options({
    resultTypes: ["violations"],
  });
  const chosen = rules === undefined ? axe.withTags(tags) : axe.withRules(rules);
  const look = async () => {
    await settle(page);
    return (await chosen.setLegacyMode().analyze()).violations;
  };
  let violations = await look();
  // What began to move while axe looked, such as a message that fades away, is gone at the second look.
  if (violations.length > 0) violations = await look();
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
  );
}

/** Asserts that axe finds nothing against WCAG 2.2 AA on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await findViolations(page)).toEqual([]);
}
