import type { Page } from "@playwright/test";
import { timeLimitMs } from "../../support/time-limits.ts";
import type { Account } from "./accounts.ts";
import { expect, findViolations, test } from "./test.ts";

/** A screen, and what to do until it shows what is to be looked at. */
interface Screen {
  /** A function where the address is known only once the viewer is there. */
  path: string | (() => string);
  as?: string;
  prepare?: (page: Page) => Promise<void>;
  /** The provider's frame takes its colours when it is made, so another scheme needs another load. */
  reload?: true;
}

/** Who looks at screens; `make` answers with null for a visitor who only needs something to look at. */
export interface ScreenViewer {
  name: string;
  make?: () => Promise<Account | null>;
  screens: Screen[];
}

/** Loads a screen and waits until it has all it asked for. */
async function show(page: Page, { path, prepare }: Screen): Promise<void> {
  await page.goto(typeof path === "string" ? path : path());
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await prepare?.(page);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** How far the page is wider than the window, in pixels. */
async function overflow(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** What depends on the colours; everything else is the same in both schemes. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** Adds a test for each viewer: axe finds nothing on the screens in both schemes and widths, and a small phone shows all of them. */
export function checkScreens(viewers: readonly ScreenViewer[]): void {
  for (const { name, make, screens } of viewers) {
    test(`axe finds nothing on the screens of ${name}`, async ({ page, openAs }) => {
      test.setTimeout(timeLimitMs(Math.max(120, 15 * screens.length)));
      const account = await make?.();
      if (account) await openAs(account, "/auth");
      const findings: string[] = [];
      for (const screen of screens) {
        const title = screen.as ?? (typeof screen.path === "string" ? screen.path : screen.path());
        await page.emulateMedia({ colorScheme: "light" });
        await show(page, screen);
        for (const scheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme: scheme });
          if (screen.reload && scheme === "dark") await show(page, screen);
          for (const width of [390, 1440]) {
            await page.setViewportSize({ width, height: 900 });
            // What a long page was scrolled to may lie half under the bar on top, which axe takes for too small a target.
            await page.evaluate(() => {
              window.scrollTo(0, 0);
            });
            const rules = scheme === "dark" ? colourRules : undefined;
            for (const finding of await findViolations(page, rules)) {
              findings.push(`${title}, ${scheme}, ${width} px: ${finding}`);
            }
          }
        }
        await page.setViewportSize({ width: 320, height: 740 });
        const wider = await overflow(page);
        if (wider > 0) findings.push(`${title}: ${wider} px wider than a window of 320 px`);
      }
      expect(findings).toEqual([]);
    });
  }
}
