import type { Page } from "@playwright/test";
import { createAccount, testPassword } from "./support/accounts.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** Holds back all scripts but the first, which is the page's own, as a slow line does. The answer lets them come. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.+\.js$/, async (route) => {
    const body = await (await route.fetch()).text();
    // The few lines of the static page itself.
    if (body.length > 8000) await released;
    await route.fulfill({ body, contentType: "text/javascript" });
  });
  return release;
}

test("who signs in before the app has come loses nothing", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  const release = await holdScripts(page);
  await page.goto("/signin?plan=mentor", { waitUntil: "commit" });
  await expect(page).toHaveTitle("Sign in · Fourfold");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await expect(page.getByRole("link", { name: "Create an account" })).toHaveAttribute(
    "href",
    /plan=mentor/,
  );
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.locator("#static-page [data-pressed]")).toBeVisible();
  expect(page.url()).not.toContain("password");
  await expectAccessible(page);
  release();
  await expect(page).toHaveURL(/\/studentdash\?plan=mentor$/);
});

test("one can type after few small requests, and the app comes when the page is idle", async ({
  page,
}) => {
  for (const path of ["/auth", "/signup", "/signin", "/adminlogin", "/guarantee", "/verify"]) {
    await page.goto(path, { waitUntil: "load" });
    await expect(page.locator("#static-page")).toHaveCount(0);
    const before = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      const asked = performance.getEntriesByType("resource").filter((each) => {
        return each.startTime < (visit?.loadEventStart ?? 0) && !each.name.endsWith(".woff2");
      });
      const all = [visit, ...asked] as (PerformanceResourceTiming | undefined)[];
      return {
        requests: all.map((each) => each?.name),
        kib: all.reduce((sum, each) => sum + (each?.encodedBodySize ?? 0), 0) / 1024,
      };
    });
    expect(before.requests.length, `${path}: ${before.requests.join(" ")}`).toBeLessThanOrEqual(8);
    expect(before.kib, path).toBeLessThanOrEqual(60);
  }
});

test("Enter before the app has come sends the form once it is there", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  const release = await holdScripts(page);
  await page.goto("/signin", { waitUntil: "commit" });
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await expect
    .poll(async () => {
      await page.getByLabel("Password", { exact: true }).press("Enter");
      return await page.locator("[data-pressed]").count();
    })
    .toBe(1);
  expect(page.url()).not.toContain("password");
  release();
  await expect(page).toHaveURL(/\/studentdash$/);
});

test("Enter before the app has come says what a form misses whose button is barred", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto("/signup", { waitUntil: "commit" });
  await page.getByLabel("Email").fill("ada@example.test");
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(`${testPassword}x`);
  await expect
    .poll(async () => {
      await page.keyboard.press("Enter");
      return await page.locator("[data-pressed]").count();
    })
    .toBe(1);
  release();
  await expect(page.getByText("Passwords do not match")).toBeVisible();
});

test("the choice between new and known works before the app has come", async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto("/auth?plan=mentor", { waitUntil: "commit" });
  await expect
    .poll(async () => {
      await page.getByRole("button", { name: "SIGN UP" }).click();
      return await page.locator("[data-pressed]").count();
    })
    .toBe(1);
  release();
  await expect(page).toHaveURL(/\/signup\?plan=mentor$/);
});
