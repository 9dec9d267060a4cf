import { createClient } from "@supabase/supabase-js";
import type { Page } from "@playwright/test";
import {
  createAccount,
  createAdminWithCodes,
  createAdminWithoutSecondFactor,
  testPassword,
} from "./support/accounts.ts";
import { findEmailLink, followEmailLink } from "./support/email-inbox.ts";
import { running } from "./support/running-product.ts";
import { saveRecoveryCodes, setUpDevice } from "./support/set-up-device.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { sendDocument } from "./support/verifications.ts";

async function signIn(page: Page, email: string, path = "/signin"): Promise<void> {
  await page.goto(path);
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
}

test("a member sets up a second factor, signs in with it, and gets back in with a recovery code", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await openAs(account, "/account#second-factor");
  await page.getByRole("button", { name: "Set up second factor" }).click();
  const nextCode = await setUpDevice(page, "My phone");
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const saved = await codes.allInnerTexts();
  await expectAccessible(page);
  await expect(page.getByRole("button", { name: "Done" })).toBeDisabled();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download" }).click();
  expect((await saving).suggestedFilename()).toBe("fourfold-recovery-codes.txt");
  await page.getByLabel("I have saved them").check();
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("My phone")).toBeVisible();
  await expect(page.getByText("10 recovery codes left.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page).toHaveURL(/\/auth$/);

  await signIn(page, account.email);
  await expectAccessible(page);
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await code.fill("000000");
  await expect(page.getByText(/That code isn't right/)).toBeVisible();
  // Nothing opens before the code, whatever address is typed; then the page opens that was asked for.
  await page.goto("/chats");
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeVisible();
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await expect(page).toHaveURL(/\/chats$/);
  await expect(page.getByRole("heading", { level: 1, name: /chat/i })).toBeVisible();

  // The menu stays where it is; the page's own button moves while the sections above it are read.
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await signIn(page, account.email);
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  await page.getByLabel("Recovery code").fill("0000-0000-0000-0000");
  await page.getByRole("button", { name: "Use recovery code" }).click();
  await expect(page.getByText("This recovery code is wrong or was used before.")).toBeVisible();
  await page.getByLabel("Recovery code").fill(saved[4] ?? "");
  await page.getByRole("button", { name: "Use recovery code" }).click();
  await expect(page).toHaveURL(/\/studentdash$/);
  await page.goto("/account#second-factor");
  await expect(page.getByRole("button", { name: "Set up second factor" })).toBeVisible();
});

test("an administrator whose password is all that is known sets up nothing before a link from the mailbox", async ({
  page,
  openAs,
}) => {
  const member = await createAccount("signed-up");
  await sendDocument(member);
  const admin = await createAdminWithoutSecondFactor();
  await openAs(admin, "/admindash/queues");
  await expect(page.getByRole("heading", { name: "Set up your second factor" })).toBeVisible();
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`A link is on its way to ${admin.email}.`)).toBeVisible();
  await followEmailLink(page, await findEmailLink(page, admin.email), "Continue");
  await page.getByLabel("Password", { exact: true }).fill("Fresh-Lantern-77?");
  await page.getByLabel("Confirm password").fill("Fresh-Lantern-77?");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await page.goto("/admindash/queues");
  await setUpDevice(page, "Work phone");
  await saveRecoveryCodes(page);
  await expect(page).toHaveURL(/\/admindash\/queues$/);
  await expect(page.getByRole("heading", { name: /Identity reviews · \d+ waiting/ })).toBeVisible();
});

test("the code is asked for at the admin door, too", async ({ page }) => {
  const { admin, nextCode } = await createAdminWithCodes();
  await signIn(page, admin.email, "/adminlogin");
  await page.getByLabel("Code", { exact: true }).fill(nextCode());
  await expect(page.getByText("Admin login successful!")).toBeVisible();
  await expect(page).toHaveURL(/\/admindash$/);
});

test("a member sees where they are signed in and ends one of the sessions", async ({
  page,
  browser,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  const elsewhere = await browser.newContext({ baseURL: running().host.url });
  const other = await elsewhere.newPage();
  await other.goto("/signin");
  await other.getByLabel("Email").fill(account.email);
  await other.getByLabel("Password", { exact: true }).fill(testPassword);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/studentdash$/);

  await openAs(account, "/account#sign-in");
  const devices = page.getByRole("list", { name: "Devices you are signed in on" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await expect(devices.getByText("This device")).toHaveCount(1);
  await expect(devices.getByText(/Chrome on Linux/)).toHaveCount(1);
  await expect(devices.getByText(/127\.0\.0\.1|::1/)).toHaveCount(2);
  await expectAccessible(page);
  await devices.getByRole("button", { name: /Sign out Chrome/ }).click();
  await page.getByRole("button", { name: "Sign out device" }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);

  // The other browser is told with the next thing it asks for.
  await other.goto("/chats");
  await expect(other.getByText("You have been signed out. Please sign in again.")).toBeVisible();
  await expect(other).toHaveURL(/\/auth$/);
  await elsewhere.close();
  const client = createClient(running().host.url, running().host.anonKey, {
    auth: { persistSession: false },
  });
  const { error } = await client.auth.signInWithPassword({
    email: account.email,
    password: testPassword,
  });
  expect(error).toBeNull();
});
