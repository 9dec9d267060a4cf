import { randomUUID } from "node:crypto";
import { createAdmin, runAsOwner, type Account } from "./support/accounts.ts";
import {
  createMember,
  createRoom,
  expectRoom,
  row,
  rows,
  sendChatMessage,
} from "./support/chat.ts";
import { openWindow } from "./support/open-window.ts";
import { createSubmission } from "./support/progress-events.ts";
import { openReport, removeReported } from "./support/reports.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** A member whose last name no other account has. */
async function createNamed(firstName: string, lastName: string): Promise<Account> {
  const account = await createMember(firstName);
  const { error } = await account.client
    .from("profiles")
    .update({ last_name: lastName, occupation: "Bookkeeper", bio: "Ledgers and two children." })
    .eq("id", account.id);
  if (error) throw new Error(error.message);
  return account;
}

const newLastName = () => `Q${randomUUID().replaceAll(/[^a-z]/g, "")}x`;

test("a member is found in the directory by a misspelt word, and their profile says what they chose", async ({
  page,
  openAs,
  browser,
}) => {
  const last = newLastName();
  const [ada, tom] = [await createMember("Ada"), await createNamed("Tom", last)];
  await createSubmission(tom, "My first client");
  const theirs = await openWindow(browser, tom, "/account#directory");
  const form = theirs.getByRole("region", { name: "Directory and profile" });
  await form.getByLabel("Ask me about").fill("VAT returns, pricing");
  await form.getByRole("button", { name: "Save topics" }).click();
  await expect(theirs.getByText("Your topics are saved.")).toBeVisible();

  await openAs(ada, "/studentdash");
  await page.getByRole("link", { name: "Directory", exact: true }).press("Enter");
  await expect(page).toHaveURL("/members");
  await page.getByRole("searchbox", { name: "Search" }).fill(`bookeper ${last}`);
  const found = page.getByRole("list", { name: "Members" }).getByRole("article");
  await expect(found).toHaveCount(1);
  await page.getByLabel("Level").selectOption("1");
  await expect(page).toHaveURL(/level=1/);
  await expectAccessible(page);
  const name = found.getByRole("link", { name: `Tom ${last}` });
  await name.hover();
  await expect(page.getByRole("tooltip")).toContainText("Ledgers and two children.");
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tooltip")).toBeHidden();
  await name.click();

  await expect(page.getByRole("heading", { level: 1, name: `Tom ${last}` })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Level 1 · Community" })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page);
  await expect(page.getByRole("link", { name: /^My first client/ })).toBeVisible();
  await page.getByRole("link", { name: "VAT returns" }).click();
  await expect(page).toHaveURL("/members?topic=VAT+returns");
  await expect(found.getByRole("link", { name: `Tom ${last}` })).toBeVisible();

  await form.getByLabel("List me in the directory").uncheck();
  await form.getByLabel("List my submissions on my profile").uncheck();
  await expect(form.getByText("Saved.")).toHaveCount(2);
  await page.goto(`/members?search=${last}`);
  await expect(page.getByText("No members match")).toBeVisible();
  await page.goto(`/members/${tom.id}`);
  await expect(page.getByRole("heading", { level: 2, name: "About", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2, name: "Submissions" })).toBeHidden();
});

test("a block folds what the other writes, hides both, is not told, and is taken back", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createNamed("Tom", newLastName())];
  const room = await createRoom();
  const words = `Rude words ${randomUUID()}`;
  const theirs = await openWindow(browser, tom, `/chats/${room.id}`);
  await expectRoom(theirs, room.name);
  await sendChatMessage(theirs, words);

  await openAs(ada, `/chats/${room.id}`);
  await expectRoom(page, room.name);
  await row(page, words).getByRole("link", { name: /^Tom/ }).click();
  await page.getByRole("button", { name: /^More about Tom/ }).press("Enter");
  await page.getByRole("menuitem", { name: "Block" }).press("Enter");
  const question = page.getByRole("alertdialog");
  await expectAccessible(page);
  await question.getByRole("button", { name: /^Block Tom/ }).click();
  await expect(page.getByRole("heading", { name: /^You've blocked Tom/ })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/chats/${room.id}`);
  await expectRoom(page, room.name);
  await expect(rows(page).getByText("From a member you've blocked.")).toBeVisible();
  await expect(page.getByText(words)).toBeHidden();
  await rows(page).getByRole("button", { name: "Show", exact: true }).press("Enter");
  await expect(row(page, words)).toBeVisible();

  await theirs.goto(`/members/${ada.id}`);
  await expect(theirs.getByRole("heading", { name: "This profile isn't available" })).toBeVisible();
  await expectAccessible(theirs);

  await page.goto("/account#blocked");
  await page.getByRole("button", { name: /^Unblock Tom/ }).click();
  await expect(page.getByText(/^You haven't blocked anyone/)).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByRole("heading", { level: 1, name: /^Ada/ })).toBeVisible();
});

test("a reported member waits in the queue until an administrator clears the profile", async ({
  page,
  openAs,
  browser,
}) => {
  const last = newLastName();
  const [ada, tom] = [await createMember("Ada"), await createNamed("Tom", last)];
  await openAs(ada, `/members/${tom.id}`);
  await page.getByRole("button", { name: `More about Tom ${last}` }).press("Enter");
  await page.getByRole("menuitem", { name: "Report" }).press("Enter");
  const reason = `Sells coins in the bio of Tom ${last}.`;
  await page.getByLabel("In your own words").fill(reason);
  await page.getByRole("button", { name: "Send report" }).click();
  await expect(page.getByText("Thank you. An administrator will look at it.")).toBeVisible();

  const console = await openWindow(browser, await createAdmin(), "/admindash/queues?queue=people");
  const report = await openReport(console, reason);
  await expect(report.getByText(`“${reason}”`)).toBeVisible();
  await expectAccessible(console);
  await report.getByRole("button", { name: "Clear bio and topics" }).click();
  await removeReported(console, "Clear profile");
  await expect(console.getByRole("button", { name: reason })).toBeHidden();
  await page.reload();
  await expect(page.getByText(/hasn't written about themselves yet/)).toBeVisible();
});

test("an administrator suspends the author of what was reported beside the report, and then decides", async ({
  page,
  openAs,
  browser,
}) => {
  const last = newLastName();
  const [ada, tom] = [await createMember("Ada"), await createNamed("Tom", last)];
  const reason = `Threatens ${last}.`;
  const report = { kind: "profile", subject_id: tom.id, reason, category: "danger" };
  expect((await ada.client.rpc("report", report)).error).toBeNull();
  await openAs(await createAdmin(), "/admindash/queues?queue=reports&order=serious");
  const opened = await openReport(page, reason);
  await expect(opened.getByText("Dangerous or illegal")).toBeVisible();
  await opened.getByRole("button", { name: "Suspend the author" }).click();
  const form = page.getByRole("form", { name: `Suspend Tom ${last}` });
  await expect(form.getByLabel(/^Reason/)).toBeFocused();
  // The focus has scrolled the page: what is half under the bar is no smaller for it.
  await page.evaluate(() => window.scrollTo(0, 0));
  await expectAccessible(page);
  await form.getByLabel("How long").selectOption("7");
  await form.getByLabel(/^Reason/).fill("You threatened another member.");
  await form.getByRole("button", { name: "Suspend member" }).click();
  await expect(page.getByText(`Tom ${last} is suspended.`)).toBeVisible();
  const suspend = opened.getByRole("button", { name: "Suspend the author" });
  await expect(suspend).toBeFocused();
  await suspend.press("Enter");
  await expect(opened.getByText(/^Suspended until \d/)).toBeVisible();
  await opened.getByRole("button", { name: "Keep" }).click();
  await page.getByRole("button", { name: "Keep profile" }).click();
  await expect(page.getByRole("button", { name: reason })).toBeHidden();

  const theirs = await openWindow(browser, tom, "/chats");
  await expect(theirs).toHaveURL(/\/auth$/);
});

test("a name that comes under a resting pointer opens no card", async ({ page, openAs }) => {
  const [ada, tom] = [await createMember("Ada"), await createNamed("Tom", newLastName())];
  const room = await createRoom();
  await runAsOwner(
    `insert into public.chat_messages (user_id, chat_room_id, content, message_type, created_at)
     select case place % 2 when 0 then $1 else $2 end::uuid, $3, 'Line ' || place, 'message', now() - make_interval(mins => 60 - place)
     from generate_series(1, 40) as place`,
    [ada.id, tom.id, room.id],
  );
  await page.clock.install();
  await openAs(ada, `/chats/${room.id}`);
  await expectRoom(page, room.name);
  const name = page.locator("article").filter({ hasText: "Line 37" }).getByRole("link").first();
  await expect(name).toBeInViewport();
  const box = await name.boundingBox();
  if (!box) throw new Error("no name in sight");
  // It comes there by itself; less would count as being at the end still.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 200);
  await page.mouse.wheel(0, -200);
  await expect.poll(async () => await name.evaluate((link) => link.matches(":hover"))).toBe(true);
  await page.clock.fastForward(2000);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await name.hover();
  await expect(page.getByRole("tooltip")).toBeVisible();
});
