import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { readZip } from "../support/read-zip.ts";
import { createAccount, createSubscriber, newEmail, testPassword } from "./support/accounts.ts";
import { findEmailLink, followEmailLink } from "./support/email-inbox.ts";
import { openWindow } from "./support/open-window.ts";
import { createSubmission } from "./support/progress-events.ts";
import { running } from "./support/running-product.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const submissionsPath = "/learning/submissions";
const replacementPassword = "Fresh-Lantern-77?";

/** What signing in with these answers: null, or the code of the refusal. */
async function trySignIn(email: string, password: string): Promise<string | null> {
  const client = createClient(running().host.url, running().host.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const { error } = await client.auth.signInWithPassword({ email, password });
  return error?.code ?? null;
}

test("the e-mail address changes once both inboxes have agreed", async ({ page, openAs }) => {
  const { email, ...account } = await createAccount("onboarded");
  const wanted = newEmail();
  await openAs({ email, ...account }, "/account#sign-in");
  await expect(page.getByText(`You sign in as ${email}`)).toBeVisible();
  await page.getByLabel("New email").fill("not an address");
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Please enter a valid email address")).toBeVisible();
  await page.getByLabel("New email").fill(wanted);
  await page.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Check both inboxes")).toBeVisible();
  expect(await trySignIn(wanted, testPassword)).toBe("invalid_credentials");

  await followEmailLink(page, await findEmailLink(page, email), "Confirm the change");
  // Where mail is only caught, either inbox is enough.
  await expect(page.getByText(`Your email address is now ${wanted}`)).toBeVisible();
  await followEmailLink(page, await findEmailLink(page, wanted), "Confirm the change");
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expect.poll(async () => await trySignIn(wanted, testPassword)).toBeNull();
  expect(await trySignIn(email, testPassword)).toBe("invalid_credentials");
  await page.goto("/account#sign-in");
  await expect(page.getByText(`You sign in as ${wanted}`)).toBeVisible();
});

test("the password changes under the same rules as at sign-up", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  await openAs(account, "/account#sign-in");
  const change = page.getByRole("button", { name: "Change password" });
  const [current, wanted] = [
    page.getByLabel("Current password"),
    page.getByLabel("New password", { exact: true }),
  ];
  await wanted.fill("short");
  await expect(page.getByText("Password strength: Weak")).toBeVisible();
  await expect(change).toBeDisabled();
  await wanted.fill(replacementPassword);
  await page.getByLabel("Confirm password").fill(`${replacementPassword}x`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await page.getByLabel("Confirm password").fill(replacementPassword);
  await change.click();
  await expect(page.getByText("Please enter your current password")).toBeVisible();
  await current.fill("Not-My-Horse-42!");
  await change.click();
  await expect(page.getByText("This is not your current password")).toBeVisible();
  expect(await trySignIn(account.email, testPassword)).toBeNull();
  await current.fill(testPassword);
  for (const guessable of ["Password1234!", `${account.email}A1`]) {
    await wanted.fill(guessable);
    await page.getByLabel("Confirm password").fill(guessable);
    await expect(page.getByText(/This password is easy to guess/)).toBeVisible();
    await expect(page.getByText("Password strength: Weak")).toBeVisible();
    await expect(change).toBeDisabled();
  }
  await wanted.fill(replacementPassword);
  await page.getByLabel("Confirm password").fill(replacementPassword);
  await change.click();
  await expect(page.getByText("Your password has been changed.")).toBeVisible();
  await expect(wanted).toHaveValue("");
  await expect(current).toHaveValue("");
  expect(await trySignIn(account.email, testPassword)).toBe("invalid_credentials");
  expect(await trySignIn(account.email, replacementPassword)).toBeNull();
});

test("signing out everywhere ends the session in another browser", async ({
  page,
  browser,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await openAs(account, "/account#sign-in");

  const elsewhere = await browser.newContext({ baseURL: running().host.url });
  const other = await elsewhere.newPage();
  await other.clock.install();
  await other.goto("/signin");
  await other.getByLabel("Email").fill(account.email);
  await other.getByLabel("Password", { exact: true }).fill(testPassword);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/studentdash$/);

  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  const question = page.getByRole("alertdialog", { name: "Sign out everywhere?" });
  await question.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(page).toHaveURL(/\/auth$/);

  // The other browser finds out when its access token runs out, within the hour.
  await other.clock.fastForward("01:00:00");
  await expect(other).toHaveURL(/\/auth$/);
  await other.goto("/studentdash");
  await expect(other).toHaveURL(/\/auth$/);
  await elsewhere.close();
});

test("signing out here leaves another browser alone", async ({ page, browser, openAs }) => {
  const account = await createAccount("onboarded");
  const before = await browser.newContext({ baseURL: running().host.url });
  const other = await before.newPage();
  await other.goto("/signin");
  await other.getByLabel("Email").fill(account.email);
  await other.getByLabel("Password", { exact: true }).fill(testPassword);
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other).toHaveURL(/\/studentdash$/);

  await openAs(account, "/account#sign-in");
  // The button moves while the sections above it are read.
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await other.reload();
  await expect(other.getByRole("heading", { name: /Amara/ }).first()).toBeVisible();
  await before.close();
});

test("everything that is kept about a member can be taken along", async ({ page, openAs }) => {
  const account = await createSubscriber();
  await openAs(account, "/account#data");
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export my data" }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe("fourfold-my-data.zip");
  const files = readZip(await readFile(await download.path()));
  const text = files.get("data.json")?.toString() ?? "";
  const data = JSON.parse(text) as { files: { bucket: string; name: string }[] };
  expect(Object.keys(data).length).toBeGreaterThan(3);
  // The identity document that onboarding stored comes along.
  expect(data.files).not.toEqual([]);
  for (const { bucket, name } of data.files) {
    expect(files.get(`files/${bucket}/${name}`)?.length).toBeGreaterThan(0);
  }
  for (const mine of [account.id, account.email, "Whitfield", "Optician", "cus_"]) {
    expect(text).toContain(mine);
  }
  await expect(page.getByText("Your data was saved as a file.")).toBeVisible();
});

test("an export that fails says so", async ({ page, openAs }) => {
  await page.route("**/rest/v1/rpc/export_my_data", (route) => route.abort());
  await openAs(await createAccount("onboarded"), "/account#data");
  await page.getByRole("button", { name: "Export my data" }).click();
  await expect(page.getByText(/Your data couldn't be exported/)).toBeVisible();
});

test("a profile picture is cropped, shown to other members, and removed", async ({
  page,
  openAs,
  browser,
}) => {
  const ada = await createAccount("onboarded");
  const title = `With a face ${randomUUID()}`;
  await createSubmission(ada, title);
  // Held upright, as a phone writes it, with the camera in it.
  const photo = await sharp({
    create: { width: 900, height: 600, channels: 3, background: "#2a6f97" },
  })
    .jpeg()
    .withExif({ IFD0: { Make: "Kamera Werke" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  await openAs(ada, "/account");
  const group = page.getByRole("group", { name: "Profile picture" });
  await group
    .getByLabel("Picture", { exact: true })
    .setInputFiles({ name: "me.jpg", mimeType: "image/jpeg", buffer: photo });
  await expect(group.getByText("This is how other members will see you.")).toBeVisible();
  await expectAccessible(page);
  await group.getByRole("button", { name: "Save picture" }).click();
  await expect(page.getByText("Your picture is saved.")).toBeVisible();

  const reader = await openWindow(browser, await createAccount("onboarded"), submissionsPath);
  const shown = reader.getByRole("article", { name: title }).locator("img").first();
  const size = () =>
    shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
  await expect.poll(size).toEqual([512, 512]);
  const address = await shown.evaluate((image: HTMLImageElement) => image.currentSrc);
  const stored = await (await page.request.get(address)).body();
  expect(stored.subarray(0, 3).toString("hex")).toBe("ffd8ff");
  expect(stored.includes("Kamera")).toBe(false);

  await group.getByRole("button", { name: "Remove picture" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove your picture?" });
  await question.getByRole("button", { name: "Remove picture" }).click();
  await expect(page.getByText("Your picture is removed.")).toBeVisible();
  await expect(group.locator("img")).toHaveCount(0);
  expect((await page.request.get(address)).status()).toBe(400);
  await reader.reload();
  const post = reader.getByRole("article", { name: title });
  await expect(post).toContainText("Amara Whitfield");
  await expect(post.locator("img")).toHaveCount(0);
});

test("an account is deleted for good once its password was given", async ({ page, openAs }) => {
  const account = await createSubscriber();
  await openAs(account, "/account#data");
  await page.getByRole("button", { name: "Delete my account" }).click();
  const question = page.getByRole("dialog", { name: "Delete your account?" });
  await expectAccessible(page);
  await question.getByLabel("Your password").fill("Not-My-Horse-42!");
  await question.getByRole("button", { name: "Delete account" }).click();
  await expect(question.getByText("This is not your password.")).toBeVisible();
  await question.getByLabel("Your password").fill(testPassword);
  await question.getByRole("button", { name: "Delete account" }).click();
  await expect(page.getByText("Your account has been deleted.")).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await trySignIn(account.email, testPassword)).toBe("invalid_credentials");
});
