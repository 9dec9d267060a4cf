import type { Locator, Page } from "@playwright/test";
import { makeDraft, courseDraft } from "./support/drafts.ts";
import { createAccount, newEmail, testPassword, saveOnboardingStep } from "./support/accounts.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { makeShelf } from "./support/library.ts";
import { expect, test } from "./support/test.ts";
import { testCards, paidMessage } from "./support/member-journey.ts";

/** What has the focus and does not show it, or stands under a bar of the frame; null when all is well or nothing has it. */
async function hiddenFocus(page: Page): Promise<string | null> {
  return await page.evaluate(() => {
    const outlined = (element: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
    };
    // A control that is drawn by its surroundings lets these carry the outline.
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    const { top, bottom, height } = focused.getBoundingClientRect();
    const bars = [...document.querySelectorAll("[data-shell] header, [data-shell] nav")].filter(
      (bar) => /fixed|sticky/.test(getComputedStyle(bar).position) && !bar.contains(focused),
    );
    const isCovered = bars
      .map((bar) => bar.getBoundingClientRect())
      .some((bar) => bar.height > 0 && top < bar.bottom && bottom > bar.top);
    // What is taller than the window, such as the page itself, is always under a bar; the link to the content stands over it.
    const isAbove = getComputedStyle(focused).position === "fixed";
    if (isCovered && !isAbove && height < innerHeight / 2)
      return `under a bar: ${focused.outerHTML}`;
    let element: Element | null = focused;
    for (let up = 0; element && up < 5; up += 1) {
      if (outlined(element)) return null;
      element = element.parentElement;
    }
    return focused.outerHTML;
  });
}

/** Presses Tab, or another key, until the focus is there; everything passed on the way must show its focus. */
async function tabTo(page: Page, goal: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press(key);
    const there = await goal.evaluate((element) => element === document.activeElement);
    await expect.poll(async () => await hiddenFocus(page)).toBeNull();
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
  await expect.poll(async () => await hiddenFocus(page)).toBeNull();
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
  await tabTo(page, page.getByRole("button", { name: /^PAY £/ }));
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
  await expect.poll(async () => await hiddenFocus(page)).toBeNull();
});

test("the focus goes to the content of the next page", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/studentdash");
  // Until the page is there, its frame is an outline whose links are replaced, and the focus with them.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "Chats" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/chats$/);
  await expect(page.locator("#main")).toBeFocused();
});

test("on a phone what has the focus is never under the bars", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(await createAccount("onboarded"), "/account");
  const main = page.locator("#main");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await main.focus();
  const isInside = async () =>
    await main.evaluate((element) => element.contains(document.activeElement));
  let passed = 0;
  for (const key of ["Tab", "Shift+Tab"]) {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press(key);
      if (!(await isInside())) break;
      await expect.poll(async () => await hiddenFocus(page)).toBeNull();
      passed += 1;
    }
  }
  expect(passed).toBeGreaterThan(20);
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

test("a mentor without a mouse writes an article, orders a course and submits both", async ({
  page,
  openAs,
}) => {
  const shelf = await makeShelf("general");
  const mentor = await createAccount("onboarded", "mentor-access");
  const courseTitle = `Course ${shelf.slug}`;
  await makeDraft(mentor, "course", courseDraft(shelf, courseTitle, ["Second", "First"]));
  await openAs(mentor, "/studio");
  const keys = page.keyboard;
  const type = async (field: string, text: string) => {
    await tabTo(page, page.getByLabel(field, { exact: true }));
    await keys.type(text);
  };
  await expect(page.getByRole("link", { name: courseTitle })).toBeVisible();
  await tabTo(page, page.getByRole("link", { name: "Skip to content" }));
  await keys.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "New article" }));
  await keys.press("Enter");
  const text = page.getByRole("textbox", { name: "Article", exact: true });
  await expect(text).toBeVisible();
  // A new draft begins with its title.
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
  await keys.type(`Sunday ${shelf.slug}`);
  // Everything about the text comes after it.
  await type("Subcategory", shelf.name);
  await expect(page.getByLabel("Subcategory").getByRole("option", { selected: true })).toHaveText(
    shelf.name,
  );
  await type("Excerpt", "One sentence about it.");
  await type("Tags", "planning, weeks");

  await tabTo(page, text, "Shift+Tab");
  const pick = async (letters: string) => {
    await keys.type(`/${letters}`);
    await expect(page.getByRole("listbox", { name: "Insert" })).toBeVisible();
    await keys.press("Enter");
  };
  await pick("hea");
  await keys.type("Why Sunday");
  await keys.press("Enter");
  await keys.type("Plan the ");
  await keys.press("Control+b");
  await keys.type("week");
  await keys.press("Control+b");
  await keys.type(" ahead.");
  await keys.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "List", exact: true }), "Shift+Tab");
  await keys.press("Enter");
  await expect(text).toBeFocused();
  await keys.type("Look back");
  await keys.press("Enter");
  await keys.type("Look ahead");
  await keys.press("Enter");
  await keys.press("Enter");
  await pick("tip");
  await keys.type("Write it down.");
  await keys.press("Enter");
  await keys.press("Enter");
  await pick("tab");
  for (const cell of ["Day", "Hours", "Sunday", "1"]) {
    await keys.type(cell);
    await keys.press("Tab");
  }
  await keys.press("ArrowDown");
  await keys.press("ArrowDown");
  await keys.type("The end.");
  await keys.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
  const { data } = await mentor.client
    .from("draft_versions")
    .select("content")
    .order("saved_at", { ascending: false })
    .limit(1)
    .single<{ content: string }>();
  const lines = data?.content.split("\n").filter((line) => line !== "");
  expect(lines?.map((line) => line.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---"))).toEqual([
    "## Why Sunday",
    "Plan the **week** ahead.",
    "- Look back",
    "- Look ahead",
    "> [!TIP]",
    "> Write it down.",
    "| Day | Hours |",
    "| --- | --- |",
    "| Sunday | 1 |",
    "| | |",
    "The end.",
  ]);
  const submit = page.getByRole("button", { name: "Submit for review" });
  const heading = page.getByRole("heading", { level: 1 });
  const isReviewed = page.getByText("An administrator is reviewing this.");
  await tabTo(page, submit, "Shift+Tab");
  await keys.press("Enter");
  await expect(isReviewed).toBeVisible();
  await expect(heading).toBeFocused();

  await tabTo(page, page.getByRole("main").getByRole("link", { name: "Studio" }), "Shift+Tab");
  await keys.press("Enter");
  await expect(page).toHaveURL(/\/studio$/);
  await expect(page.locator("#main")).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: courseTitle }));
  await keys.press("Enter");
  const modules = page.getByRole("region", { name: /^Modules/ }).locator("[data-module]");
  await expect(modules).toHaveText(["1. Second", "2. First"]);
  await expect(page.locator("#main")).toBeFocused();
  await tabTo(page, modules.nth(1));
  await keys.press("Alt+ArrowUp");
  await expect(modules).toHaveText(["1. First", "2. Second"]);
  await expect(modules.nth(0)).toBeFocused();
  await keys.press("Alt+ArrowDown");
  await expect(modules.nth(1)).toBeFocused();
  await keys.press("Alt+ArrowUp");
  await expect(modules.nth(0)).toBeFocused();
  await expect.poll(async () => await hiddenFocus(page)).toBeNull();
  await tabTo(page, submit, "Shift+Tab");
  await keys.press("Enter");
  await expect(isReviewed).toBeVisible();
  await expect(heading).toBeFocused();
  await expect(heading).toHaveText(courseTitle);
});
