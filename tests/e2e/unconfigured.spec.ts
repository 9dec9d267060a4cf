import { PASSWORD } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

const MESSAGE =
  "The backend is not configured. Set the backend's address and public key, then reload this page.";

test.beforeEach(async ({ page }, { title }) => {
  if (!title.startsWith("without a backend")) return;
  await page.route("**/config.json", async (route) => {
    await route.fulfill({ json: {} });
  });
});

test("without a backend a visitor is led to a page that says so, never to a blank one", async ({
  page,
}) => {
  for (const path of ["/paywall", "/onboarding", "/studentdash", "/nowhere"]) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByRole("alert").getByText(MESSAGE)).toBeVisible();
  }
});

test("without a backend every form says so", async ({ page }) => {
  await page.goto("/signin");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(MESSAGE)).toBeVisible();
  await page.goto("/adminlogin");
  await page.getByLabel("Admin email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText(MESSAGE)).toBeVisible();
  await page.goto("/signup");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(MESSAGE)).toBeVisible();
});

test("Clear Auth State forgets the session and reloads the page", async ({ page }) => {
  await page.goto("/auth");
  await page.evaluate(() => localStorage.setItem("sb-old-auth-token", '{"refresh_token":"stuck"}'));
  const reloaded = page.waitForEvent("load");
  await page.getByRole("button", { name: "Clear Auth State" }).click();
  await reloaded;
  await expect(page.getByRole("button", { name: "SIGN UP" })).toBeVisible();
  const left = await page.evaluate(() => localStorage.getItem("sb-old-auth-token"));
  expect(left).toBeNull();
});
