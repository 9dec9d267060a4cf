import type { Page } from "@playwright/test";
import pg from "pg";
import { startTestProduct } from "../support/backend-setup.ts";
import { freePort } from "../support/spawn-product.ts";
import { newEmail, testPassword } from "./support/accounts.ts";
import { saveRecoveryCodes } from "./support/set-up-device.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { withDevice } from "./support/virtual-authenticator.ts";

test.describe.configure({ mode: "serial" });

/** A product with security keys, under a name: browsers make none for an address in numbers. */
let product: Awaited<ReturnType<typeof startTestProduct>>;
let owner: pg.Pool;
let url = "";
test.beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  product = await startTestProduct({
    PORT: String(port),
    PUBLIC_URL: url,
    SUPABASE_AUTH_MFA_WEB_AUTHN_ENROLL_ENABLED: "true",
    SUPABASE_AUTH_MFA_WEB_AUTHN_VERIFY_ENABLED: "true",
  });
  owner = new pg.Pool({ connectionString: product.running.databaseUrl, max: 1 });
});
test.afterAll(async () => {
  await owner.end();
  await product.stop();
});

const keyHeading = { level: 1, name: "Use your security key" };

/** Signs up and adds a key as the second factor. */
async function joinWithKey(page: Page): Promise<string> {
  const email = newEmail();
  await page.goto(`${url}/signup`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/paywall$/);
  await page.goto(`${url}/account#second-factor`);
  await page.getByRole("button", { name: "Add a security key or passkey" }).click();
  await page.getByLabel("Name of the key").fill("Blue key");
  await page.getByRole("button", { name: "Continue" }).click();
  await saveRecoveryCodes(page);
  const list = page.getByRole("list", { name: "Your second factors" });
  await expect(list.getByRole("listitem")).toHaveText([/Blue key\s*Added on/]);
  return email;
}

async function signIn(page: Page, path: string, email: string): Promise<void> {
  await page.goto(url + path);
  await page.getByLabel(/email/i).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", keyHeading)).toBeVisible();
}

/** What the server answers to the session that the browser keeps. */
async function answerToSession(page: Page): Promise<[number, string | undefined]> {
  const token = await page.evaluate(() => {
    const kept = Object.entries(localStorage).find(([key]) => key.endsWith("-auth-token"))?.[1];
    return (JSON.parse(kept ?? "{}") as { access_token?: string }).access_token ?? "";
  });
  const response = await fetch(`${url}/rest/v1/rpc/my_sessions`, {
    method: "POST",
    headers: { apikey: product.running.anonKey, authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code];
}

test("a member adds a security key, and nothing opens without it from then on", async ({
  page,
}) => {
  const device = await withDevice(page);
  const email = await joinWithKey(page);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page).toHaveURL(/\/auth$/);

  await signIn(page, "/signin", email);
  const button = page.getByRole("button", { name: "Use your security key" });
  await expect(button).toBeFocused();
  await expectAccessible(page);

  // Without the key nothing opens, whatever address is typed.
  const bringBack = await device.forget();
  await button.click();
  await expect(page.getByRole("alert")).toContainText("No security key was used.");
  await expect(page.getByRole("heading", keyHeading)).toBeVisible();
  await page.goto(`${url}/account#second-factor`);
  await expect(page.getByRole("heading", keyHeading)).toBeVisible();
  expect(await answerToSession(page)).toEqual([401, "FF004"]);

  await bringBack();
  await button.click();
  await expect(page.getByRole("list", { name: "Your second factors" })).toBeVisible();
  expect(await answerToSession(page)).toEqual([200, undefined]);

  await page.getByRole("button", { name: "Remove Blue key" }).click();
  await page.getByRole("button", { name: "Remove key" }).click();
  await expect(page.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
});

test("an administrator signs in and appoints another with a security key alone", async ({
  page,
}) => {
  const device = await withDevice(page);
  const email = await joinWithKey(page);
  const member = await owner.query<{ id: string }>("select id from auth.users where email = $1", [
    email,
  ]);
  const id = member.rows[0]?.id;
  await owner.query("select private.make_admin($1)", [id]);
  // A key counts as fresh only if it is older than the session.
  await owner.query(
    "update auth.mfa_factors set created_at = created_at - interval '1 hour' where user_id = $1",
    [id],
  );
  const { rows } = await owner.query<{ id: string }>(
    "select id from auth.users where id <> $1 and email_confirmed_at is not null order by created_at desc limit 1",
    [id],
  );
  const other = rows[0]?.id;
  await page.evaluate(() => localStorage.clear());
  await signIn(page, "/adminlogin", email);
  await page.getByRole("button", { name: "Use your security key" }).click();
  await expect(page).toHaveURL(/\/admindash$/);

  await page.goto(`${url}/admindash/members?member=${other}`);
  await page.getByRole("button", { name: "Make administrator" }).click();
  const form = page.getByRole("form", { name: /an administrator$/ });
  await expect(form.getByText(/Have “Blue key” ready/)).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("Reason").fill("Joins the team");
  const bringBack = await device.forget();
  const confirm = form.getByRole("button", { name: "Make administrator" });
  await confirm.click();
  await expect(form.getByRole("alert")).toContainText("No security key was used.");
  const role = async () =>
    (await owner.query("select role from public.profiles where id = $1", [other])).rows;
  expect(await role()).not.toEqual([{ role: "admin" }]);
  await bringBack();
  await confirm.click();
  await expect(page.getByText(/is an administrator\./).first()).toBeVisible();
  expect(await role()).toEqual([{ role: "admin" }]);
});
