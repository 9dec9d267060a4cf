import type { Locator, Page } from "@playwright/test";
import { createAccount, newEmail, testPassword, saveOnboardingStep } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { expect, test } from "./support/test.ts";
import { testCards, paidMessage } from "./support/member-journey.ts";

/** What has the focus and does not show it; null when all is well or nothing has it. */
async function hiddenFocus(page: Page): Promise<string | null> {
  return await page.evaluate(() => {
    const outlined = (element: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    };
    // A control that is drawn by its surroundings lets these carry the outline.
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    let element: Element | null = focused;
    for (let up = 0; element && up < 5; up += 1) {
      if (outlined(element)) return null;
      element = element.parentElement;
    }
    return focused.outerHTML;
  });
}

/** Presses Tab until the focus is there; everything passed on the way must show its focus. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  for (let presses = 0; presses < 25; presses += 1) {
    await page.keyboard.press("Tab");
    const there = await goal.evaluate((element) => element === document.activeElement);
    expect(await hiddenFocus(page)).toBeNull();
    if (there) return;
  }
  throw new Error("Tab does not lead there");
}

test("a visitor without a mouse signs up, chooses a plan and pays", async ({ page }) => {
  await page.goto("/auth");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "SIGN UP" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/signup$/);
  await expect(page.locator("#main")).toBeFocused();
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type(newEmail());
  await tabTo(page, page.getByLabel("Password", { exact: true }));
  await page.keyboard.type(testPassword);
  await tabTo(page, page.getByLabel("Confirm password"));
  await page.keyboard.type(testPassword);
  await tabTo(page, page.getByRole("button", { name: "Create account" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/paywall$/);

  const frame = page.locator('iframe[name^="__privateStripeFrame"]').first();
  const card = frame.contentFrame();
  await expect(card.locator('input[name="cardnumber"]')).toBeVisible();
  await tabTo(page, page.getByRole("radio", { name: /^Student Access/ }));
  await page.keyboard.press("ArrowDown");
  const mentor = page.getByRole("radio", { name: /^Mentor Access/ });
  await expect(mentor).toBeChecked();
  await expect(mentor).toBeFocused();
  expect(await hiddenFocus(page)).toBeNull();
  await expect(page.getByText("Mentor Access, due today")).toBeVisible();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("radio", { name: /^Student Access/ })).toBeChecked();

  await tabTo(page, frame);
  await expect(card.locator('input[name="cardnumber"]')).toBeFocused();
  await page.keyboard.type(testCards.good);
  await expect(card.locator('input[name="exp-date"]')).toBeFocused();
  await page.keyboard.type("1234");
  await expect(card.locator('input[name="cvc"]')).toBeFocused();
  await page.keyboard.type("123");
  await tabTo(page, page.getByRole("button", { name: "PAY" }));
  await expectBriefly(page, paidMessage, () => page.keyboard.press("Enter"));
});

test("the focus goes to the heading of the next step, and to what is wrong", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("paid");
  await saveOnboardingStep(account, 5);
  await openAs(account, "/onboarding");
  const heading = page.getByRole("heading", { level: 1 });
  const before = await heading.textContent();
  const onward = page.getByRole("button", { name: "Continue" });
  await onward.focus();
  await page.keyboard.press("Enter");
  await expect(heading).not.toHaveText(before ?? "");
  await expect(heading).toBeFocused();

  await onward.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("Please complete all required fields");
  const first = page.getByRole("textbox").first();
  await expect(first).toBeFocused();
  await expect(first).toHaveAttribute("aria-invalid", "true");
  expect(await hiddenFocus(page)).toBeNull();
});

test("the focus goes to the content of the next page", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/studentdash");
  await page.getByRole("link", { name: "Chats" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/chats$/);
  await expect(page.locator("#main")).toBeFocused();
});

test("Escape closes a dialog, and the focus returns", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/subscriptions");
  const cancel = page.getByRole("button", { name: "Cancel Subscription" });
  await cancel.focus();
  await page.keyboard.press("Enter");
  const question = page.getByRole("alertdialog");
  await expect(question.getByRole("button", { name: "Keep my subscription" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(cancel).toBeFocused();
});
