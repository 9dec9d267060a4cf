import { offerCourse } from "../support/course-offers.ts";
import { createAccount, newEmail, runAsOwner } from "./support/accounts.ts";
import { openCardProvider, waitForWebhooks } from "./support/card-provider.ts";
import { fillCard, fillSignUp, testCards } from "./support/member-journey.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a visitor buys a mentor's course, reads it and nothing else, and is refunded", async ({
  page,
  browser,
}) => {
  const mentor = await createAccount("onboarded", "mentor-access");
  const { slug } = await offerCourse(runAsOwner, mentor.id, { isOnSale: false });
  const studio = await openWindow(browser, mentor, "/studio/selling");
  await studio.getByRole("button", { name: "Sell this course" }).click();
  await studio
    .getByLabel("What you'll learn")
    .fill("Write letters that are answered\nAsk one thing");
  await expectAccessible(studio);
  await studio.getByRole("button", { name: "Save" }).click();
  await expect(studio.getByText("On sale", { exact: true })).toBeVisible();

  const affiliate = await createAccount("onboarded");
  const mine = await openWindow(browser, affiliate, "/affiliates");
  const link = await mine.getByRole("textbox", { name: "Your link" }).inputValue();
  await expect(mine.getByRole("link", { name: "Letters That Get Answers" }).first()).toBeVisible();

  const nowhere = await page.request.get(`/c/${slug}-x`);
  expect(nowhere.status()).toBe(404);
  expect(await nowhere.text()).toMatch(/This course isn(?:'|&#x27;)t on sale/);
  await page.goto(`${link}?course=${slug}`);
  await page.getByRole("button", { name: "Remember and continue" }).click();
  await expect(page).toHaveURL(new RegExp(`/c/${slug}$`));
  await expect(page.getByRole("heading", { name: "Letters That Get Answers" })).toBeVisible();
  await expect(page.getByText("Text of “Begin With the Reader”.")).toBeVisible();
  await expect(page.getByText("Text of “Send It”.")).toHaveCount(0);
  await expectAccessible(page);
  // A document for people who are no members: it runs no script.
  await expect(page.locator("script")).toHaveCount(0);
  await expect(page).toHaveTitle("Letters That Get Answers · Fourfold");
  await page.getByRole("link", { name: "Buy this course" }).first().click();
  await page.getByRole("link", { name: "Create an account" }).click();
  await fillSignUp(page, newEmail());
  await expect(page).toHaveURL(new RegExp(`/c/${slug}/buy$`));
  await fillCard(page, testCards.declined);
  const pay = page.getByRole("button", { name: "Pay £40" });
  await pay.click();
  await expect(page.getByText("Your card was declined.")).toBeVisible();
  await expectAccessible(page);
  await fillCard(page, testCards.needsChallenge);
  await pay.dblclick();
  await page
    .frameLocator('iframe[name="stripe-challenge-frame"]')
    .getByRole("button", { name: "Complete authentication" })
    .click();
  await expect(page).toHaveURL(/\/your-courses$/);
  await page.getByRole("link", { name: "Start reading" }).click();
  await expect(page.getByText("Text of “Begin With the Reader”.")).toBeVisible();
  await page.getByRole("button", { name: "Mark as Complete" }).click();
  await expect(page.getByText("33% complete").first()).toBeVisible();
  await expectAccessible(page);
  await page.goto("/chats/general");
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/paywall$/);

  await mine.reload();
  await expect(mine.getByText("Your link: Letters That Get Answers")).toBeVisible();
  await studio.reload();
  await expect(studio.getByLabel("Sales of Letters That Get Answers")).toContainText("£28");

  await page.goto("/your-courses");
  await page.getByRole("link", { name: "Receipt" }).click();
  const number = await page.getByText(/^ch_/).textContent();
  await openCardProvider().refunds.create({ charge: number ?? "" });
  await waitForWebhooks();
  await page.getByRole("link", { name: "Back to your courses" }).click();
  await expect(page.getByText("Refunded", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: /reading/ })).toHaveCount(0);
  await expectAccessible(page);
  await studio.reload();
  await expect(studio.getByLabel("Sales of Letters That Get Answers")).toContainText("£0");
});
