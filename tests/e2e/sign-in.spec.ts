import {
  runAsOwner,
  createAccount,
  createAdminWithCodes,
  createAdminWithoutSecondFactor,
  newEmail,
  testPassword,
} from "./support/accounts.ts";
import { findEmailLink, followEmailLink } from "./support/email-inbox.ts";
import { running } from "./support/running-product.ts";
import { saveRecoveryCodes, setUpDevice } from "./support/set-up-device.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const replacementPassword = "Fresh-Lantern-77?";

test("a member signs in, lands on her dashboard and signs out again", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/signin");
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Successfully signed in!")).toBeVisible();
  await expect(page).toHaveURL(/\/studentdash$/);
  await expect(page.locator("#main")).toBeFocused();
  await page.reload();
  await expect(page).toHaveURL(/\/studentdash$/);
  await page.getByRole("button", { name: /account/i }).click();
  await page.getByRole("menuitem", { name: /sign out/i }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/auth$/);
});

test("a tab follows a sign-in and a sign-out in another tab, and says why", async ({
  page,
  context,
}) => {
  const { email } = await createAccount("onboarded");
  const notice = "You signed out in another tab.";
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: "SIGN IN" })).toBeVisible();
  const other = await context.newPage();
  await other.goto("/signin");
  await other.getByLabel("Email").fill(email);
  await other.getByLabel("Password", { exact: true }).fill(testPassword);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/studentdash$/);
  await expect(page).toHaveURL(/\/studentdash$/);
  await expect(page.getByRole("heading", { level: 1, name: /Amara/ })).toBeVisible();

  await other.getByRole("button", { name: /account/i }).click();
  await other.getByRole("menuitem", { name: /sign out/i }).click();
  await expect(other).toHaveURL(/\/auth$/);
  await page.bringToFront();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText(notice)).toBeVisible();
  await expect(other.getByText(notice)).toHaveCount(0);
});

test("a wrong password is answered with the backend's message", async ({ page }) => {
  const { email } = await createAccount("signed-up");
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Invalid login credentials")).toBeVisible();
});

test("an administrator signs in", async ({ page }) => {
  const { admin, nextCode } = await createAdminWithCodes();
  await page.goto("/adminlogin");
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await page.getByLabel(/email/i).fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await expect(page.getByText("Admin login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admindash$/);
});

test("a student who tries the admin door is signed out again", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText("You do not have admin privileges. Access denied.")).toBeVisible();
  await expect(page).toHaveURL(/\/adminlogin$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/auth$/);
});

test("an admin whose profile cannot be read is not let in", async ({ page }) => {
  const { email } = await createAdminWithoutSecondFactor();
  await page.route("**/rest/v1/profiles*", async (route) => {
    await route.fulfill({ status: 500, json: { code: "XX000", message: "no" } });
  });
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText("Failed to verify admin privileges")).toBeVisible();
});

test("a forgotten password is replaced through the link in the e-mail", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/signin");
  await page.getByRole("link", { name: /forgot/i }).click();
  // Both pages ask for an e-mail address: only the next one sends links.
  const send = page.getByRole("button", { name: "Send the link" });
  await expect(send).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await send.click();
  await expect(page.getByText(email)).toBeVisible();

  await followEmailLink(page, await findEmailLink(page, email), "Continue");
  await expect(page).toHaveURL(/\/update-password/);
  await page.getByLabel("Password", { exact: true }).fill(replacementPassword);
  await page.getByLabel("Confirm password").fill(replacementPassword);
  await page
    .getByRole("button", { name: /password/i })
    .last()
    .click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();

  const { client } = await createAccount("signed-up");
  const old = await client.auth.signInWithPassword({ email, password: testPassword });
  expect(old.error?.code).toBe("invalid_credentials");
  const fresh = await client.auth.signInWithPassword({ email, password: replacementPassword });
  expect(fresh.error).toBeNull();
});

test("a link for a new password works on another device, also after a mail scanner has looked at it", async ({
  page,
  browser,
}) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Check your inbox")).toBeVisible();
  const link = await findEmailLink(page, email);
  for (const method of ["HEAD", "GET"]) {
    expect((await page.request.fetch(link, { method })).status()).toBe(200);
  }

  const phone = await browser.newContext({
    baseURL: running().host.url,
    viewport: { width: 390, height: 844 },
  });
  const there = await phone.newPage();
  await there.goto(link);
  await expect(there.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expectAccessible(there);
  // A scanner that runs scripts sees the same page, and uses up nothing.
  await there.reload();
  await there.getByRole("button", { name: "Continue" }).click();
  await expect(there).toHaveURL(/\/update-password$/);
  await there.getByLabel("Password", { exact: true }).fill(replacementPassword);
  await there.getByLabel("Confirm password").fill(replacementPassword);
  await there.getByRole("button", { name: "Change password" }).click();
  await expect(there.getByText("Your password has been changed.")).toBeVisible();

  await followEmailLink(there, link, "Continue");
  await expect(there.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expectAccessible(there);
  await phone.close();
});

test("an administrator replaces the one-time password and sets up a second factor before anything else", async ({
  page,
}) => {
  const { email, id } = await createAccount("signed-up");
  await runAsOwner(
    `update auth.users set raw_app_meta_data = raw_app_meta_data ||
       jsonb_build_object('password_expires_at', now() + interval '1 day') where id = $1`,
    [id],
  );
  await runAsOwner("select private.appoint_admin($1, now() + interval '1 day')", [id]);
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByRole("heading", { name: "Choose your own password" })).toBeVisible();
  await page.goto("/admindash");
  await expect(page).toHaveURL(/\/update-password$/);
  await expectAccessible(page);
  await page.getByLabel("One-time password").fill(testPassword);
  await page.getByLabel("New password", { exact: true }).fill(replacementPassword);
  await page.getByLabel("Confirm password").fill(replacementPassword);
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Set up your second factor" })).toBeVisible();
  await page.goto("/admindash/members");
  await expect(page.getByRole("heading", { name: "Set up your second factor" })).toBeVisible();
  await expectAccessible(page);
  await setUpDevice(page, "Work phone");
  await expectAccessible(page);
  await saveRecoveryCodes(page);
  await expect(page).toHaveURL(/\/admindash\/members$/);
  await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeVisible();
  await expect(page.getByLabel("Search")).toBeVisible();
});

test("an unknown address gets the same answer as a known one", async ({ page }) => {
  const email = newEmail();
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(email)).toBeVisible();
});
