import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { offerCourse } from "../support/course-offers.ts";
import { createAccount, createAdmin, runAsOwner, saveOnboardingStep } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { addArticle, makeShelf } from "./support/library.ts";
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

test("titles and tabs are whole on the smallest phone", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(await createMember("Ada"), "/account");
  for (const [address, title] of [
    ["/account", "Account"],
    ["/progress", "Progress"],
    ["/learning/submissions", "Learn"],
  ] as const) {
    await page.goto(address);
    const bar = page.getByRole("banner");
    await expect(bar.getByText("Level 1: Community")).toBeAttached();
    await expect(bar.getByText(title, { exact: true })).toBeVisible();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll("header p, [data-phone-tabs] li > *")]
        .filter((each) => each.scrollWidth > each.clientWidth)
        .map(({ textContent }) => textContent),
    );
    expect(cut, address).toEqual([]);
  }
});

test("the empty message field is one line on the smallest phone", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openAs(await createMember("Ada"), "/chats/general");
  const field = page.getByRole("textbox", { name: "Message in General" });
  await expect(field).toBeVisible();
  expect((await field.boundingBox())?.height).toBeLessThanOrEqual(46);
});

/** Where the title begins, and how many letters the longest line of running text on the page has. */
async function titleAndLines(page: Page, address: string) {
  await page.goto(address);
  const title = page.getByRole("heading", { level: 1 });
  await expect(title).toBeVisible();
  await expect(page.locator("main [role=status][aria-busy]")).toHaveCount(0);
  return await page.evaluate(() => {
    const main = document.querySelector("main");
    const range = document.createRange();
    const letters = [...(main?.querySelectorAll("p") ?? [])].map((text) => {
      const perLine = new Map<number, number>();
      for (const node of [...text.childNodes].filter(({ nodeType }) => nodeType === 3)) {
        for (let at = 0; at < (node.textContent?.length ?? 0); at += 1) {
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const top = Math.round(range.getBoundingClientRect().top);
          perLine.set(top, (perLine.get(top) ?? 0) + 1);
        }
      }
      // What fits on one line is no running text.
      return perLine.size > 1 ? Math.max(...perLine.values()) : 0;
    });
    const left = main?.querySelector("h1")?.getBoundingClientRect().left ?? 0;
    return { left: Math.round(left), longest: Math.max(0, ...letters) };
  });
}

/** Every title begins where the rail and the page's margin end, and no line of running text is too long to be read with ease. */
async function expectOneEdge(page: Page, addresses: readonly string[]) {
  const wrong: unknown[] = [];
  for (const address of addresses) {
    const { left, longest } = await titleAndLines(page, address);
    if (left !== 280 || longest > 80) wrong.push({ address, left, longest });
  }
  expect(wrong).toEqual([]);
}

test("the title of a member's page begins at the same edge on all of them, and lines are short enough to read", async ({
  page,
  openAs,
}) => {
  const ada = await createMember("Ada", 2);
  const shelf = await makeShelf("general");
  const article = await addArticle(shelf, "A text to read");
  const shelfPath = `/knowledge/foundations/${shelf.slug}`;
  const tom = await createMember("Tom");
  const post = {
    user_id: tom.id,
    submission_type: "success",
    title: "Sold",
    content: "Five stools. ".repeat(20),
  };
  expect((await tom.client.from("learning_submissions").insert(post)).error).toBeNull();
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(ada, "/studentdash");
  await expectOneEdge(page, [
    "/studentdash",
    "/chats",
    "/messages",
    "/learning/submissions",
    "/learning/create",
    "/learning/pacts",
    "/learning/pacts/new",
    "/knowledge/foundations",
    shelfPath,
    `${shelfPath}/${article}`,
    "/members",
    "/collaborate",
    "/progress",
    "/progress/guarantee",
    "/account",
    "/subscriptions",
    "/affiliates",
  ]);
});

test("so does the title of an administrator's page", async ({ page, openAs }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openAs(await createAdmin(), "/admindash");
  await expectOneEdge(page, [
    "/admindash",
    ...["queues", "members", "content", "money", "audit", "settings"].map(
      (name) => `/admindash/${name}`,
    ),
    "/account",
  ]);
});
