import { onboard, payFor, signUp } from "./support/walk.ts";
import { expect, test } from "./support/test.ts";

test("a visitor becomes an onboarded student", async ({ page }) => {
  await page.goto("/");
  await page
    .getByRole("link", { name: /join|start|become/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByRole("button", { name: "SIGN UP" }).click();
  await expect(page).toHaveURL(/\/signup$/);

  await signUp(page);
  await expect(page.getByText("Account created successfully! You can now sign in.")).toBeVisible();
  await expect(page).toHaveURL(/\/paywall$/);
  await payFor(page, "Student");

  await expect(page).toHaveURL(/\/success$/);
  await expect(page.getByRole("heading", { name: "Payment Successful" })).toBeVisible();
  // The page finds the active subscription by polling and goes on by itself.
  await expect(page).toHaveURL(/\/onboarding/);

  await onboard(page);
  await expect(page).toHaveURL(/\/studentdash$/);
  await expect(page.getByText("Amara Whitfield").first()).toBeVisible();
  await expect(page.getByText("Optician").first()).toBeVisible();
});

test("a mentor is one because the provider's webhook said so", async ({ page }) => {
  await signUp(page);
  await expect(page).toHaveURL(/\/paywall$/);
  await payFor(page, "Mentor");
  await expect(page).toHaveURL(/\/onboarding/);
  await onboard(page);
  await expect(page).toHaveURL(/\/mentordash$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/mentordash$/);
});
