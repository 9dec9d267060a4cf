import { createClient } from "@supabase/supabase-js";
import type { Page } from "@playwright/test";
import { runAsOwner, createAccount, type Account } from "./support/accounts.ts";
import { findEmailLink, followEmailLink } from "./support/email-inbox.ts";
import { running } from "./support/running-product.ts";
import { expect, test } from "./support/test.ts";

/** The address a session belongs to, as the browser keeps it; null without one. */
async function sessionIn(page: Page): Promise<string | null> {
  return await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => /^sb-.*-auth-token$/.test(name));
    const stored = key === undefined ? null : localStorage.getItem(key);
    return stored === null ? null : (JSON.parse(stored) as { user: { email: string } }).user.email;
  });
}

/** Everything an attacker can put into a link: the tokens of a session of their own. */
async function tokensOf(attacker: Account): Promise<string> {
  const { data } = await attacker.client.auth.getSession();
  return new URLSearchParams({
    access_token: data.session?.access_token ?? "",
    refresh_token: data.session?.refresh_token ?? "",
    expires_in: "3600",
    token_type: "bearer",
    type: "signup",
  }).toString();
}

/** A link to a new password for an account that an attacker has made. */
async function linkOfAttacker(page: Page): Promise<string> {
  const { email, client } = await createAccount("signed-up");
  expect((await client.auth.resetPasswordForEmail(email)).error).toBeNull();
  return await findEmailLink(page, email);
}

test("a link with an attacker's tokens changes nothing for a member who is signed in", async ({
  page,
  openAs,
}) => {
  const victim = await createAccount("onboarded");
  const tokens = await tokensOf(await createAccount("signed-up"));
  await openAs(victim, "/studentdash");
  for (const path of ["/auth", "/onboarding", "/update-password", "/account", "/"]) {
    await page.goto(`${path}#${tokens}`);
    await expect(page).not.toHaveURL(/access_token/);
    expect(await sessionIn(page)).toBe(victim.email);
  }
  await page.goto("/account#sign-in");
  await expect(page.getByText(`You sign in as ${victim.email}`)).toBeVisible();
});

test("a link with an attacker's tokens does not sign a visitor in, and says so", async ({
  page,
}) => {
  const tokens = await tokensOf(await createAccount("onboarded"));
  await page.goto(`/auth#${tokens}`);
  await expect(page.getByText(/it doesn't work here/)).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await sessionIn(page)).toBeNull();
  await page.goto("/account");
  await expect(page).toHaveURL(/\/auth$/);
});

test("a link that an attacker asked for resets neither password of a member who opens it", async ({
  page,
  openAs,
}) => {
  const victim = await createAccount("onboarded");
  const link = await linkOfAttacker(page);
  await openAs(victim, "/studentdash");
  await followEmailLink(page, link, "Continue");
  const told = page.getByRole("alert");
  await expect(told).toContainText(`You are still signed in as ${victim.email}.`);
  await expect(page).toHaveURL(/\/confirm$/);
  expect(await sessionIn(page)).toBe(victim.email);
});

test("a link that an attacker asked for does not use up the member's own", async ({ page }) => {
  const { email } = await createAccount("onboarded");
  await page.goto("/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText("Check your inbox")).toBeVisible();
  const mine = await findEmailLink(page, email);
  // A visitor asks for a link to the same account, once the pause between two e-mails is over.
  await runAsOwner("delete from host.auth_limits", []);
  const { host } = running();
  const visitor = createClient(host.url, host.anonKey, { auth: { persistSession: false } });
  expect((await visitor.auth.resetPasswordForEmail(email)).error).toBeNull();
  await followEmailLink(page, mine, "Continue");
  await expect(page.getByLabel("Confirm password")).toBeVisible();
  await expect(page.getByLabel("Current password")).toBeHidden();
});
