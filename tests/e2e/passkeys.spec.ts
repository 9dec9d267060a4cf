import { startTestProduct } from "../support/backend-setup.ts";
import { freePort } from "../support/spawn-product.ts";
import { newEmail, testPassword } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";
import { withDevice } from "./support/virtual-authenticator.ts";

test.describe.configure({ mode: "serial" });

/** A product with passkeys, under a name: browsers make none for an address in numbers. */
let product: Awaited<ReturnType<typeof startTestProduct>>;
let url = "";
test.beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  product = await startTestProduct({
    PORT: String(port),
    PUBLIC_URL: url,
    SUPABASE_AUTH_PASSKEY_ENABLED: "true",
  });
});
test.afterAll(async () => await product.stop());

test("a passkey is added, signs in, is renamed and removed", async ({ page }) => {
  const device = await withDevice(page);
  const email = newEmail();
  await page.goto(`${url}/signup`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toHaveCount(0);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/paywall$/);

  await page.goto(`${url}/account#passkeys`);
  await expect(page.getByText("You don't have any passkeys yet.")).toBeVisible();
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Your passkey is ready.", { exact: false })).toBeVisible();
  const list = page.getByRole("list", { name: "Your passkeys" });
  await expect(list.getByText("Not used yet")).toBeVisible();

  // The device has one already.
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText(
    "This device already has a passkey for your account.",
  );

  await list.getByRole("button", { name: /^Rename / }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("My phone");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(list.getByText("My phone")).toBeVisible();

  for (const path of ["/signin", "/auth"]) {
    await page.evaluate(() => localStorage.clear());
    await page.goto(url + path);
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect(page).toHaveURL(/\/paywall$/);
  }

  await page.goto(`${url}/account#passkeys`);
  await expect(list.getByText(/^Last used/)).toBeVisible();
  await list.getByRole("button", { name: "Remove My phone" }).click();
  await page.getByRole("button", { name: "Remove passkey" }).click();
  await expect(page.getByText("You don't have any passkeys yet.")).toBeVisible();

  // The device still has it, the account does not.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${url}/signin`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(
    page.getByText("This passkey no longer opens an account here", { exact: false }),
  ).toBeVisible();
  await device.forget();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("No passkey was used.", { exact: false })).toBeVisible();
});
