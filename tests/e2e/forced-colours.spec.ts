import type { Locator } from "@playwright/test";
import { createAccount, createAdmin } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { createSubmission, recordProgressOf } from "./support/progress-events.ts";
import { expect, test } from "./support/test.ts";

// With the system's own colours, as in the high-contrast themes of Windows: backgrounds and shadows are gone.
test.use({ contextOptions: { forcedColors: "active" } });

/** The colours something is drawn in. */
const coloursOf = async (part: Locator) =>
  await part.evaluate((element) => {
    const { backgroundColor, borderTopColor, borderBottomColor, color } = getComputedStyle(element);
    return { backgroundColor, borderTopColor, borderBottomColor, color };
  });

/** What the system calls `Canvas`: the ground of the page. */
const canvasOf = async (part: Locator) =>
  await part.page().evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "forced-color-adjust: none; background: Canvas";
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return backgroundColor;
  });

/** Asserts that a checked control differs from one that is not, and that its mark can be seen on it. */
async function expectChecked(on: Locator, off: Locator, mark: "color" | "backgroundColor") {
  await expect(on).toBeChecked();
  await expect(off).not.toBeChecked();
  const [checked, unchecked] = [await coloursOf(on), await coloursOf(off)];
  expect(checked.backgroundColor).not.toBe(unchecked.backgroundColor);
  expect(checked.borderTopColor).not.toBe(await canvasOf(on));
  expect((await coloursOf(on.locator("+ *")))[mark]).not.toBe(checked.backgroundColor);
}

/** Asserts that one of a row of tabs is underlined, and the others are not. */
async function expectOneCurrent(tabs: Locator) {
  const current = tabs.and(tabs.page().locator("[aria-current='page'], [aria-selected='true']"));
  const idle = tabs.and(tabs.page().locator(":not([aria-current='page'], [aria-selected='true'])"));
  await expect(current).toHaveCount(1);
  const canvas = await canvasOf(current);
  expect((await coloursOf(current)).borderBottomColor).not.toBe(canvas);
  for (const tab of await idle.all()) expect((await coloursOf(tab)).borderBottomColor).toBe(canvas);
  expect(await idle.count()).toBeGreaterThan(0);
}

test("the chosen plan is told from the other", async ({ page, openAs }) => {
  await openAs(await createAccount("signed-up"), "/paywall");
  const student = page.getByRole("radio", { name: /^Student Access/ });
  const mentor = page.getByRole("radio", { name: /^Mentor Access/ });
  await student.check();
  await expectChecked(student, mentor, "backgroundColor");
  await mentor.check();
  await expectChecked(mentor, student, "backgroundColor");
});

test("a checked box is told from an empty one", async ({ page, openAs }) => {
  await openAs(await createAccount("onboarded"), "/account#notifications");
  const [first, second] = [page.getByRole("checkbox").first(), page.getByRole("checkbox").nth(1)];
  await first.check();
  await second.uncheck();
  await expectChecked(first, second, "color");
});

test("bars show how full they are, and one page of a row is the current one", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await recordProgressOf(account, "message", 1, 20);
  await openAs(account, "/progress");
  const bar = page.locator("[role='progressbar'][aria-valuenow='40']:not(:has(svg))").first();
  await expect(bar).toBeVisible();
  const [track, fill] = [await coloursOf(bar), await coloursOf(bar.locator("> *"))];
  const canvas = await canvasOf(bar);
  await expect(bar).toHaveCSS("border-top-width", "1px");
  expect(track.borderTopColor).not.toBe(canvas);
  expect(fill.backgroundColor).not.toBe(canvas);
  expect(fill.backgroundColor).not.toBe(track.backgroundColor);

  await expectOneCurrent(page.getByRole("navigation", { name: "Progress" }).getByRole("link"));
});

test("the open part of a page is told from its other parts", async ({ page, openAs }) => {
  await openAs(await createAdmin(), "/admindash/settings");
  await expectOneCurrent(page.getByRole("tab"));
});

/** Asserts that something has an edge of its own, in a colour that is not the ground's. */
async function expectEdge(part: Locator) {
  await expect(part).toBeVisible();
  await expect(part).toHaveCSS("outline-style", "solid");
  await expect(part).not.toHaveCSS("outline-color", await canvasOf(part));
}

test("a password's strength is a bar with filled and empty segments", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Password", { exact: true }).fill("abcdefgh");
  const strength = page.getByRole("status").filter({ hasText: "Password strength" });
  const segments = strength.locator("xpath=preceding-sibling::div/span");
  await expect(segments).toHaveCount(5);
  for (const segment of await segments.all()) await expectEdge(segment);
  const [first, last] = [await coloursOf(segments.first()), await coloursOf(segments.last())];
  expect(last.backgroundColor).toBe(await canvasOf(page.locator("body")));
  expect(first.backgroundColor).not.toBe(last.backgroundColor);
});

test("chips, counts, faces and what is still loading have edges, and unread dots are seen", async ({
  page,
  openAs,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const id = await createSubmission(ada, "My first client");
  const like = { user_id: tom.id, submission_id: id };
  expect((await tom.client.from("learning_submission_likes").insert(like)).error).toBeNull();
  await openAs(ada, "/learning/submissions");
  const level = page.getByRole("banner").locator("[data-accent]");
  await expectEdge(level);
  await expectEdge(level.locator("[aria-hidden]"));
  const bell = page.getByRole("button", { name: "Notifications, 1 unread" });
  await expectEdge(bell.getByText("1", { exact: true }));
  const submission = page.getByRole("article").filter({ hasText: "My first client" });
  await expectEdge(submission.locator("[data-type]"));
  await expectEdge(submission.getByText("AW", { exact: true }).first());

  await bell.click();
  const dot = page.getByRole("dialog").getByText("Unread:").locator("xpath=..");
  await expect(dot).toHaveCSS("width", "8px");
  expect((await coloursOf(dot)).backgroundColor).not.toBe(await canvasOf(dot));

  await page.route("**/rest/v1/rpc/people_page*", () => undefined);
  await page.goto("/members");
  await expectEdge(page.getByRole("main").getByRole("status").locator("[data-edge]").first());
});
