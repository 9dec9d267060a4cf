import type { Page } from "@playwright/test";
import { runAsOwner, createAccount } from "./support/accounts.ts";
import { untilWindowsClosed } from "./support/close-window.ts";
import { recordProgressOf, createSubmission } from "./support/progress-events.ts";
import { expect, test } from "./support/test.ts";

const moment = (page: Page) => page.getByRole("region", { name: "Level up" });

test("the last action of a level is celebrated live, once", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  await recordProgressOf(account, "room_opened", 1, 5);
  await recordProgressOf(account, "message", 1, 49);
  await recordProgressOf(account, "like", 1, 1);
  await createSubmission(account, "Week one");
  await createSubmission(account, "Week two");
  await openAs(account, "/studentdash");
  await expect(page.getByText("1 more towards Level 2")).toBeVisible();
  await page.getByRole("link", { name: /Share your first submission/ }).click();
  await page.getByRole("radio", { name: "Progress report" }).check();
  await page.getByLabel("Title", { exact: true }).fill("Week three");
  await page.getByLabel("Content").fill("Three orders, all by word of mouth.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(moment(page)).toBeVisible();
  await expect(moment(page).getByRole("heading", { name: "Level 2: Knowledge" })).toBeVisible();
  await expect(moment(page)).toContainText("four more chat rooms");
  await expect(page).toHaveURL("/learning/submissions");
  await expect(moment(page)).toBeVisible();
  await moment(page).getByRole("button", { name: "Stay on this page" }).click();
  await expect(moment(page)).toHaveCount(0);
  await expect(page.getByRole("banner")).toContainText("Level 2: Knowledge");
  await untilWindowsClosed(page);
  await page.goto("/studentdash");
  await expect(page.getByText("25 more towards Level 3")).toBeVisible();
  await expect(moment(page)).toHaveCount(0);
});

test("the dashboard counts an action in another window, and celebrates it there", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await recordProgressOf(account, "room_opened", 1, 5);
  await recordProgressOf(account, "submission", 1, 3);
  await recordProgressOf(account, "message", 1, 48);
  await openAs(account, "/studentdash");
  await expect(page.getByText("2 more towards Level 2")).toBeVisible();
  await recordProgressOf(account, "message", 49, 49);
  await expect(page.getByText("1 more towards Level 2")).toBeVisible();
  await expect(moment(page)).toHaveCount(0);
  await recordProgressOf(account, "like", 1, 1);
  await expect(moment(page)).toBeVisible();
  const knowledge = page.getByRole("article", { name: "Knowledge" });
  await expect(knowledge.getByRole("link", { name: "Knowledge: Foundations" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(moment(page)).toHaveCount(0);
});

test("/progress shows level, ring, rank, charts, and the evidence behind each figure", async ({
  page,
  openAs,
}) => {
  const account = await createAccount("onboarded");
  await createSubmission(account, "Week one");
  await recordProgressOf(account, "message", 1, 35);
  await openAs(account, "/progress");
  await expect(page.getByRole("heading", { name: "Level 1: Community" })).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Overall completion" })).toHaveAttribute(
    "aria-valuetext",
    "6 per cent, 36 of 648",
  );
  await expect(page.getByText(/^With 35 engagements you are/)).toBeVisible();
  await expect(
    page.getByRole("img", { name: /^Message engagements: 35 in 90 days/ }),
  ).toBeVisible();
  await page.getByText("Figures as a table").click();
  await expect(page.getByRole("row").nth(1)).toContainText("35");

  await page.getByRole("button", { name: /^Message engagements 35 of 50 at level 1/ }).click();
  const sheet = page.getByRole("dialog", { name: "Message engagements" });
  await expect(sheet.getByRole("listitem")).toHaveCount(30);
  await sheet.getByRole("button", { name: "Show earlier" }).click();
  await expect(sheet.getByRole("listitem")).toHaveCount(35);
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL("/progress");

  await page.getByRole("button", { name: /^Learning submissions 1 of 3/ }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Week one" }).click();
  await expect(page.getByRole("article", { name: "Week one" })).toBeVisible();

  await page.goto("/progress?days=30");
  await expect(
    page.getByRole("img", { name: /^Learning submissions: 1 in 30 days/ }),
  ).toBeVisible();
  await recordProgressOf(account, "like", 1, 1);
  await expect(page.getByText(/^With 36 engagements you are/)).toBeVisible();
  await expect(
    page.getByRole("img", { name: /^Message engagements: 36 in 30 days/ }),
  ).toBeVisible();
});

test("everything done is 100 %, never more, and celebrated", async ({ page, openAs }) => {
  const account = await createAccount("onboarded");
  await runAsOwner(
    `select private.record_progress_event($1, kind, md5(kind || category || n)::uuid::text, category)
       from (values ('article_read', 25), ('course_completed', 5)) as each (kind, needed),
            unnest(array['general', 'business', 'wealth']) as category,
            generate_series(1, needed) n`,
    [account.id],
  );
  await recordProgressOf(account, "room_opened", 1, 9);
  await recordProgressOf(account, "submission", 1, 7);
  await recordProgressOf(account, "message", 1, 549);
  await openAs(account, "/progress");
  await expect(page.getByRole("heading", { name: "Level 4: Wealth" })).toBeVisible();
  await expect(page.getByText("647 of 648")).toBeVisible();
  await expect(moment(page)).toHaveCount(0);
  await recordProgressOf(account, "message", 550, 551);
  await expect(page.getByText("648 of 648")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Overall completion" })).toHaveAttribute(
    "aria-valuenow",
    "100",
  );
  await expect(moment(page)).toContainText("All four levels, complete");
});
