import type { Page } from "@playwright/test";
import { startTestProduct } from "../support/backend-setup.ts";
import { newEmail, testPassword } from "./support/accounts.ts";
import { payFor } from "./support/member-journey.ts";
import { expect, test } from "./support/test.ts";

test.describe.configure({ mode: "serial" });

/** A product that lets people sign in with stand-ins for Google and Apple. */
let product: Awaited<ReturnType<typeof startTestProduct>>;
test.beforeAll(async () => {
  product = await startTestProduct({ SIGN_IN_STAND_INS: "1" });
});
test.afterAll(async () => await product.stop());

const at = (path: string) => `${product.running.url}${path}`;

/** Answers at the provider's page. */
async function beAtProvider(page: Page, email: string, name = "Sam Taylor"): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("a visitor becomes a member with Google, and their plan comes along", async ({ page }) => {
  const email = newEmail();
  await page.goto(at("/signup?plan=mentor"));
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await expect(page.getByRole("heading", { name: "Stand-in for Google" })).toBeVisible();
  await beAtProvider(page, email);
  await expect(page).toHaveURL(/\/paywall\?plan=mentor$/);
  await payFor(page, "Mentor");
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.goto(at("/account#sign-in"));
  await expect(page.getByText("You sign in with Google.", { exact: false })).toBeVisible();
  await expect(page.getByLabel("Current password")).toHaveCount(0);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await expect(page.getByLabel("Current password")).toBeVisible();
});

test("a member comes back with Apple, whose answer is a form, to the account with their address", async ({
  page,
}) => {
  const email = newEmail();
  await page.goto(at("/signin"));
  await page.getByRole("button", { name: "Continue with Apple" }).click();
  await beAtProvider(page, email);
  await expect(page).toHaveURL(/\/paywall$/);
  await page.evaluate(() => localStorage.clear());
  await page.goto(at("/auth"));
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await beAtProvider(page, email);
  await expect(page).toHaveURL(/\/paywall$/);
  await page.goto(at("/account#sign-in"));
  await expect(
    page.getByText("You sign in with Apple and Google.", { exact: false }),
  ).toBeVisible();
});

test("a visitor who turns back, or whose address is not verified, is told so", async ({ page }) => {
  await page.goto(at("/signin"));
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You cancelled before signing in.", { exact: false })).toBeVisible();
  expect(new URL(page.url()).search).toBe("");
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("The address is verified").uncheck();
  await beAtProvider(page, newEmail());
  await expect(page.getByRole("alert")).toContainText("hasn't been verified there");
});

test("a member without a password deletes the account after signing in once more", async ({
  page,
}) => {
  const email = newEmail();
  await page.goto(at("/signin"));
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await beAtProvider(page, email);
  await expect(page).toHaveURL(/\/paywall$/);
  await page.goto(at("/account#data"));
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("button", { name: "Delete account" }).click();
  await expect(page).toHaveURL(/\/auth$/);
  const { rows } = await product.product.host.context.db.admin.query(
    "select 1 from auth.users where email = $1",
    [email],
  );
  expect(rows).toEqual([]);
});
