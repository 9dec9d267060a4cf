import { makeAccount, makePlainAdmin, newEmail, PASSWORD } from "./support/accounts.ts";
import { linkInLetterTo } from "./support/inbox.ts";
import { expect, test } from "./support/test.ts";

const NEW_PASSWORD = "Fresh-Lantern-77?";

test("a member signs in, lands on her dashboard and signs out again", async ({ page }) => {
  const { email } = await makeAccount("onboarded");
  await page.goto("/signin");
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Successfully signed in!")).toBeVisible();
  await expect(page).toHaveURL(/\/studentdash$/);
  await page.reload();
  await expect(page).toHaveURL(/\/studentdash$/);
  await page.getByRole("button", { name: /account/i }).click();
  await page.getByRole("menuitem", { name: /sign out/i }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/auth$/);
});

test("a wrong password is answered with the backend's message", async ({ page }) => {
  const { email } = await makeAccount("signed-up");
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Invalid login credentials")).toBeVisible();
});

test("an administrator signs in", async ({ page }) => {
  const { email } = await makePlainAdmin();
  await page.goto("/adminlogin");
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText("Admin login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admindash$/);
});

test("a student who tries the admin door is signed out again", async ({ page }) => {
  const { email } = await makeAccount("onboarded");
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText("You do not have admin privileges. Access denied.")).toBeVisible();
  await expect(page).toHaveURL(/\/adminlogin$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/auth$/);
});

test("an admin whose profile cannot be read is not let in", async ({ page }) => {
  const { email } = await makePlainAdmin();
  await page.route("**/rest/v1/profiles*", async (route) => {
    await route.fulfill({ status: 500, json: { code: "XX000", message: "no" } });
  });
  await page.goto("/adminlogin");
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: /sign in|log in/i }).click();
  await expect(page.getByText("Failed to verify admin privileges")).toBeVisible();
});

test("a forgotten password is replaced through the link in the e-mail", async ({ page }) => {
  const { email } = await makeAccount("onboarded");
  await page.goto("/signin");
  await page.getByRole("link", { name: /forgot/i }).click();
  // Both pages ask for an e-mail address: only the next one sends links.
  const send = page.getByRole("button", { name: "Send the link" });
  await expect(send).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await send.click();
  await expect(page.getByText(email)).toBeVisible();

  await page.goto(await linkInLetterTo(page, email));
  await expect(page).toHaveURL(/\/update-password/);
  await page.getByLabel("Password", { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel("Confirm password").fill(NEW_PASSWORD);
  await page
    .getByRole("button", { name: /password/i })
    .last()
    .click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();

  const { client } = await makeAccount("signed-up");
  const old = await client.auth.signInWithPassword({ email, password: PASSWORD });
  expect(old.error?.code).toBe("invalid_credentials");
  const fresh = await client.auth.signInWithPassword({ email, password: NEW_PASSWORD });
  expect(fresh.error).toBeNull();
});

test("an unknown address gets the same answer as a known one", async ({ page }) => {
  const email = newEmail();
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(email)).toBeVisible();
});
