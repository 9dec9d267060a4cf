import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { startTestProduct } from "../support/backend-setup.ts";
import { followEmailLink } from "./support/email-inbox.ts";
import { newEmail, testPassword } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";
import type { Page } from "@playwright/test";

test.describe.configure({ mode: "serial" });

/** A product that sends its e-mail, so that new addresses have to be confirmed. */
let sink: SmtpSink;
let product: Awaited<ReturnType<typeof startTestProduct>>;
test.beforeAll(async () => {
  sink = await startSmtpSink();
  product = await startTestProduct({ SMTP_URL: sink.url, MAIL_FROM: "hello@example.test" });
});
test.afterAll(async () => {
  await product.stop();
  await sink.stop();
});

async function signUp(page: Page): Promise<{ email: string; link: string }> {
  const email = newEmail();
  await page.goto(`${product.running.url}/signup`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  const { text } = await sink.next(email);
  return { email, link: /https?:\/\/\S+\/confirm\?\S+/.exec(text)?.[0] ?? "" };
}

const confirmButton = "Confirm my address";

test("a confirmation opened where it was asked for signs in and leads on", async ({ page }) => {
  const { link } = await signUp(page);
  await page.getByRole("button", { name: "Send the link again" }).click();
  await expect(page.getByText(/You can ask for another one in \d+ seconds?\./)).toBeVisible();
  await followEmailLink(page, link, confirmButton);
  await expect(page).toHaveURL(/\/paywall$/);
  await expect(page.getByRole("heading", { name: "Choose Your Plan" })).toBeVisible();
});

test("a confirmation opened in another browser confirms, and leads to sign in", async ({
  page,
  browser,
}) => {
  const { email, link } = await signUp(page);
  const phone = await browser.newContext();
  const there = await phone.newPage();
  await followEmailLink(there, link, confirmButton);
  await expect(
    there.getByText("Your email address is confirmed. Sign in to continue."),
  ).toBeVisible();
  await there.getByRole("link", { name: "Sign in" }).click();
  await there.getByLabel("Email").fill(email);
  await there.getByLabel("Password", { exact: true }).fill(testPassword);
  await there.getByRole("button", { name: "Sign in" }).click();
  await expect(there).toHaveURL(/\/paywall$/);
  await phone.close();

  await page.getByRole("link", { name: /confirmed my email, sign in/ }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/paywall$/);
});

test("a link that was used before says so and leads to another one", async ({ page, browser }) => {
  const { link } = await signUp(page);
  const other = await browser.newContext();
  const there = await other.newPage();
  await followEmailLink(there, link, confirmButton);
  await expect(there.getByText(/Your email address is confirmed/)).toBeVisible();
  await other.close();
  await followEmailLink(page, link, confirmButton);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Send the link again" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Sign in" })).toBeVisible();
});
