import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { offerCourse } from "../support/course-offers.ts";
import { createAccount, runAsOwner, saveOnboardingStep } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { expectStep } from "./support/member-journey.ts";
import { expect, test } from "./support/test.ts";

/** Where the heading begins, and where the page's one button ends. */
async function frame(page: Page, heading: string, button: string) {
  const title = await page.getByRole("heading", { level: 1, name: heading }).boundingBox();
  const link = await page
    .getByRole("main")
    .getByRole("link", { name: button })
    .first()
    .boundingBox();
  return {
    left: title && Math.round(title.x),
    right: link && Math.round(link.x + link.width),
    top: link && Math.round(link.y),
  };
}

test("heading and button stay where they are from the posts to the pacts", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(await createAccount("onboarded"), "/learning/submissions");
  const create = page.getByRole("main").getByRole("link", { name: "New Submission" });
  await expect(create.first()).toBeVisible();
  const posts = await frame(page, "Learning submissions", "New Submission");
  await page.goto("/learning/pacts");
  await expect(page.getByText("You haven't made a pact yet")).toBeVisible();
  expect(await frame(page, "Pacts", "Make a pact")).toEqual(posts);
});

test("a course's sale page has one button to buy in a view of a phone", async ({ page }) => {
  const mentor = await createAccount("onboarded", "mentor-access");
  const { slug } = await offerCourse(runAsOwner, mentor.id);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/c/${slug}`);
  const buy = page.getByRole("link", { name: /^Buy this course/ }).filter({ visible: true });
  await expect(buy).toHaveCount(1);
  await expect(buy).toBeInViewport({ ratio: 1 });
  await page.getByRole("heading", { name: "Refunds" }).scrollIntoViewIfNeeded();
  await expect(buy).toBeInViewport({ ratio: 1 });
});

test("an answer of onboarding shows in full while another question is open", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("paid");
  await saveOnboardingStep(account, 6);
  await openAs(account, "/onboarding");
  await expectStep(page, 6);
  const first = page.getByRole("textbox").first();
  await first.fill("I fit kitchens for a firm, about two a week. ".repeat(4));
  await page.getByRole("textbox").nth(1).focus();
  await expect(first).toHaveCSS("border-top-color", "rgba(0, 0, 0, 0)");
  const hidden = await first.evaluate((field) => field.scrollHeight - field.clientHeight);
  expect(hidden).toBeLessThanOrEqual(1);
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`a question of onboarding that is still to be answered is in sight at ${width} px`, async ({
    page,
    openAs,
  }) => {
    const account = await createAccount("paid");
    await saveOnboardingStep(account, 6);
    await page.setViewportSize({ width, height });
    await openAs(account, "/onboarding");
    await expectStep(page, 6);
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("textbox").first()).toBeFocused();
    const question = page.getByText("Your current situation", { exact: true });
    // The header stays over what is scrolled below it.
    await expect
      .poll(async () =>
        question.evaluate((label) => {
          const { left, top } = label.getBoundingClientRect();
          return document.elementFromPoint(left + 2, top + 2) === label;
        }),
      )
      .toBe(true);
  });
}

test("the button to pay is in sight beside the plans on a laptop", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(await createAccount("signed-up"), "/paywall");
  await expect(page.getByRole("button", { name: /^PAY/ })).toBeInViewport({ ratio: 1 });
});

test("nothing scrolls sideways on the smallest phone while the membership loads, nor with a post that can be answered", async ({
  page,
  openAs,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(await createMember("Ada"), "/subscriptions");
  await page.route("**/rest/v1/stripe_subscriptions*", async () => {});
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.reload();
  await expect(page.getByText("Loading your subscription")).toBeAttached();
  expect(await width()).toBe(320);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  const tom = await createMember("Tom");
  const { error } = await tom.client.rpc("save_collaboration_post", {
    post_id: randomUUID(),
    kind: "request",
    title: "Bookkeeper",
    details: "Two hours a month.",
    topics: [],
  });
  expect(error).toBeNull();
  await page.goto("/collaborate");
  await expect(
    page.getByRole("list", { name: "Posts" }).getByRole("article").first(),
  ).toBeVisible();
  expect(await width()).toBe(320);
});

test("the empty message field is one line on the smallest phone", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(await createMember("Ada"), "/chats/general");
  const field = page.getByRole("textbox", { name: "Message in General" });
  await expect(field).toBeVisible();
  expect((await field.boundingBox())?.height).toBeLessThanOrEqual(46);
});
