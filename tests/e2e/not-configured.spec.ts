import { serveStaticSite } from "./support/static-site.ts";
import { expect, test as base } from "./support/test.ts";
import { testPassword } from "./support/accounts.ts";

const notConfigured = /The backend is not configured/;

/** The built files alone, on a server that knows nothing else. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a destructured first argument.
  // oxlint-disable-next-line no-empty-pattern -- Playwright insists on a destructured first argument.
  baseURL: async ({}, use) => {
    const site = await serveStaticSite();
    await use(site.url);
    await site.stop();
  },
});

test("the landing page stands", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/^(24:00:00|23:59:\d\d)$/);
});

test("the sign-in choice says what is missing, and why it may load for ever", async ({ page }) => {
  await page.goto("/auth");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("alert")).toContainText(notConfigured);
  await page.getByText("Trouble signing in?").click();
  await expect(page.getByText(/Infinite loading\?.+backend is not configured/)).toBeVisible();
  for (const name of ["SIGN UP", "SIGN IN", "BACK"]) {
    await expect(page.getByRole("button", { name })).toBeEnabled();
  }
});

test("signing in is answered by the stand-in client", async ({ page }) => {
  await page.goto("/signin");
  await page.getByLabel("Email").fill("amara@example.com");
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(notConfigured)).toBeVisible();
  await expect(page).toHaveURL(/\/signin$/);
});

test("signing up and asking for a link are answered likewise", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Email").fill("amara@example.com");
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(notConfigured)).toBeVisible();
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill("amara@example.com");
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText(notConfigured)).toBeVisible();
});

test("no address is a blank page, and protected ones redirect to sign-in", async ({ page }) => {
  const addresses = [
    "/studentdash",
    "/admindash",
    "/paywall",
    "/onboarding",
    "/chats",
    "/knowledge/foundations",
    "/dashboard",
    "/nowhere",
  ];
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.getByRole("button", { name: "SIGN IN" })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe("/auth");
  }
});

test("Clear Auth State forgets the session and reloads", async ({ page }) => {
  await page.goto("/auth");
  await page.evaluate(() => {
    localStorage.setItem("sb-stuck-auth-token", "{}");
    localStorage.setItem("something-else", "stays");
    document.body.dataset["before"] = "yes";
  });
  await page.getByText("Trouble signing in?").click();
  await page.getByRole("button", { name: "Clear Auth State" }).click();
  await expect(page.locator("body[data-before]")).toHaveCount(0);
  await page.getByText("Trouble signing in?").click();
  await expect(page.getByRole("button", { name: "Clear Auth State" })).toBeEnabled();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["something-else"]);
});
