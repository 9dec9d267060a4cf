import { createAdmin } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

test("on a phone the console's rows of tabs show the one that is open", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(await createAdmin(), "/admindash/money?view=complimentary");
  const tab = (name: string | RegExp) => page.getByRole("tab", { name, selected: true });
  const part = (name: string) => page.getByRole("link", { name, exact: true });
  // Not 1: the tabs stand over the line below them, by one pixel that the row cuts off.
  const shown = { ratio: 0.95 };
  const view = page.getByLabel("Show", { exact: true });
  await expect(view).toHaveValue("complimentary");
  await expect(view).toBeInViewport(shown);
  await expect(part("Money")).toBeInViewport(shown);
  expect(await page.evaluate(() => scrollY)).toBe(0);

  await part("Settings").click();
  await expect(part("Settings")).toBeInViewport(shown);
  await part("Overview").evaluate((link) => (link as HTMLElement).click());
  await expect(part("Overview")).toBeInViewport(shown);

  // The labels grow when their figures arrive, and other queues get a tab.
  await page.goto(new URL("/admindash/queues?queue=review", page.url()).href);
  await expect(tab(/^Drafts · \d/)).toBeInViewport(shown);
});
