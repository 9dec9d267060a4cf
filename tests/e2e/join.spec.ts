import { onboard, payFor, signUpInBrowser } from "./support/member-journey.ts";
import { expectBriefly, expectNavigationThrough } from "./support/expect-briefly.ts";
import { expect, test } from "./support/test.ts";

test("a visitor becomes an onboarded student", async ({ page }) => {
  await page.goto("/");
  await page
    .getByRole("link", { name: /join|start|become/i })
    .first()
    .click();
  await expect(page).toHaveURL(/\/signup\?plan=student$/);

  await expectBriefly(page, "Account created successfully! You can now sign in.", async () => {
    await signUpInBrowser(page);
  });
  await expect(page).toHaveURL(/\/paywall$/);
  await expectNavigationThrough(page, /\/success$/, async () => {
    await expectBriefly(page, "Payment Successful", () => payFor(page, "Student"));
  });
  // The page finds the active subscription by polling and goes on by itself.
  await expect(page).toHaveURL(/\/onboarding/);

  await onboard(page);
  await expect(page).toHaveURL(/\/studentdash$/);
  await expect(page.getByText("Amara Whitfield").first()).toBeVisible();
  await expect(page.getByText("Optician").first()).toBeVisible();
});

test("a mentor is one because the provider's webhook said so", async ({ page }) => {
  await signUpInBrowser(page);
  await expect(page).toHaveURL(/\/paywall$/);
  await payFor(page, "Mentor");
  await expect(page).toHaveURL(/\/onboarding/);
  await onboard(page);
  await expect(page).toHaveURL(/\/mentordash$/);
  await page.goto("/studentdash");
  await expect(page).toHaveURL(/\/mentordash$/);
});
