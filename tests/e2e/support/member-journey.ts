import { expect, type Page } from "@playwright/test";
import { onePixelPng } from "../../../tools/demo/join.ts";
import { newEmail, testPassword } from "./accounts.ts";
import { expectBriefly } from "./expect-briefly.ts";

/** Cards the sandbox knows. */
export const testCards = {
  good: "4242424242424242",
  needsChallenge: "4000002500003155",
  declined: "4000000000000002",
  insufficient: "4000000000009995",
  expired: "4000000000000069",
  wrongCvc: "4000000000000127",
} as const;

/** Fills the sign-up form and sends it. */
export async function signUpInBrowser(page: Page, email: string = newEmail()): Promise<string> {
  await page.goto("/signup");
  return await fillSignUp(page, email);
}

/** Fills the sign-up form of the page that is open and sends it. */
export async function fillSignUp(page: Page, email: string = newEmail()): Promise<string> {
  // The sign-in form, which may still be there, has the other two fields as well.
  await expect(page.getByLabel("Confirm password")).toBeVisible();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(testPassword);
  await page.getByLabel("Confirm password").fill(testPassword);
  await page.getByRole("button", { name: "Create account" }).click();
  return email;
}

/** Types a card into the provider's frame. */
export async function fillCard(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('iframe[name^="__privateStripeFrame"]').first();
  await frame.locator('input[name="cardnumber"]').fill(number);
  await frame.locator('input[name="exp-date"]').fill("12 / 34");
  await frame.locator('input[name="cvc"]').fill("123");
}

/** What the paywall says before it leads on. */
export const paidMessage = "Payment successful! Redirecting to ONBAORDING...";

export async function payByCard(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^PAY/ }).click();
}

/** Chooses a plan and pays with a card that works. */
export async function payFor(page: Page, plan: "Student" | "Mentor"): Promise<void> {
  await expect(page.getByRole("heading", { name: "Choose Your Plan" })).toBeVisible();
  await page.getByRole("radio", { name: new RegExp(`^${plan} Access`) }).check();
  await fillCard(page, testCards.good);
  await expectBriefly(page, paidMessage, () => payByCard(page));
}

/** The step heading counter, as the wizard shows it. */
export async function expectStep(page: Page, step: number): Promise<void> {
  const bar = page.getByRole("progressbar");
  await expect(bar).toHaveAttribute("aria-valuenow", String(Math.round((step / 9) * 100)));
}

export async function advance(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Answers step 6. */
export async function answerGoalQuestions(page: Page): Promise<void> {
  for (const box of await page.getByRole("textbox").all()) await box.fill("Something honest.");
  await page.getByRole("combobox").selectOption("8");
}

/** Answers step 7. */
export async function answerProfileQuestions(page: Page): Promise<void> {
  await page.getByLabel("First name").fill("Amara");
  await page.getByLabel("Last name").fill("Whitfield");
  await page.getByLabel("Occupation").fill("Optician");
}

/** Chooses a document for step 8. */
export async function chooseDocument(page: Page): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles({
    name: "passport.png",
    mimeType: "image/png",
    buffer: onePixelPng,
  });
}

/** All nine steps, from the first. */
export async function onboard(page: Page): Promise<void> {
  for (let step = 1; step <= 5; step += 1) {
    await expectStep(page, step);
    await advance(page);
  }
  await expectStep(page, 6);
  await answerGoalQuestions(page);
  await advance(page);
  await expectStep(page, 7);
  await answerProfileQuestions(page);
  await advance(page);
  await expectStep(page, 8);
  await chooseDocument(page);
  await advance(page);
  await expectStep(page, 9);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: /finish|complete/i }).click();
}
