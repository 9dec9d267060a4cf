import { createAccount, newEmail, testPassword } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { expect, test } from "./support/test.ts";
import { signUpInBrowser } from "./support/member-journey.ts";

test("an existing e-mail is told so and led to sign in after two seconds", async ({ page }) => {
  const { email } = await createAccount("signed-up");
  const told = "An account with this email already exists. Redirecting you to sign in...";
  const left = page.waitForFunction(() => location.pathname === "/signin" && Date.now());
  const toldAt = await expectBriefly(page, told, async () => {
    await signUpInBrowser(page, email);
  });
  const leftAt = Number(await (await left).jsonValue());
  // There was time to read it; that it is 2000 ms to the millisecond is shown with a clock of our own.
  expect(leftAt - toldAt).toBeGreaterThan(500);
});

test.describe("the strength of a password", () => {
  const ladder = [
    ["abc", "Weak"],
    ["abcABC", "Weak"],
    ["abcABC1", "Fair"],
    ["abcABC1!", "Good"],
    ["abcABC1!abcd", "Strong"],
  ] as const;

  test("is told by the rules it meets", async ({ page }) => {
    await page.goto("/signup");
    const submit = page.getByRole("button", { name: "Create account" });
    for (const [password, strength] of ladder) {
      await page.getByLabel("Password", { exact: true }).fill(password);
      await expect(page.getByText(`Password strength: ${strength}`)).toBeVisible();
      await page.getByLabel("Confirm password").fill(password);
      await (strength === "Strong" ? expect(submit).toBeEnabled() : expect(submit).toBeDisabled());
    }
  });

  test("stops a weak one with a reason", async ({ page }) => {
    await page.goto("/signup");
    await page.getByLabel("Email").fill(newEmail());
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByLabel("Confirm password").fill("short");
    await page.keyboard.press("Enter");
    await expect(
      page.getByText("Please ensure your password meets all requirements"),
    ).toBeVisible();
    await expect(page).toHaveURL(/\/signup$/);
  });
});

test("two different passwords are not sent", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Email").fill(newEmail());
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(`${testPassword}x`);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passwords do not match")).toBeVisible();
  await expect(page.getByRole("button", { name: "Create account" })).toBeDisabled();
});

test("an account whose profile cannot be made is told to sign in", async ({ page }) => {
  await page.route("**/rest/v1/profiles*", async (route) => {
    await (route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { code: "XX000", message: "no" } })
      : route.continue());
  });
  await signUpInBrowser(page);
  await expect(
    page.getByText("Account created but failed to initialize profile. Please try signing in."),
  ).toBeVisible();
});
