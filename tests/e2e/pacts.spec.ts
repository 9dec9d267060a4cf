import { randomUUID } from "node:crypto";
import { runAsOwner, type Account } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { expectBriefly } from "./support/expect-briefly.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** Names and titles are text, whatever they hold. */
const payload = "<img src=x onerror=document.title='ran'>";

/** A member whose first name no other account has. */
async function createNamed(): Promise<{ account: Account; first: string; name: string }> {
  const account = await createMember("Ada");
  const first = `P${randomUUID().replaceAll(/[^a-z]/g, "")}x`;
  const rename = "update public.profiles set first_name = $2, last_name = $3 where id = $1";
  await runAsOwner(rename, [account.id, first, payload]);
  return { account, first, name: `${first} ${payload}` };
}

test("a pact is made on a phone, witnessed, closed with a submission, and stands on the profile", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createNamed(), await createNamed()];
  const theirs = await openWindow(browser, tom.account, "/studentdash");
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(ada.account, "/studentdash");

  await page.getByRole("link", { name: /^Make a pact/ }).press("Enter");
  await expect(page).toHaveURL("/learning/pacts/new");
  await expect(page.locator("#main")).toBeFocused();
  const form = page.getByRole("form", { name: "New pact" });
  await form.getByRole("button", { name: "Make this pact" }).press("Enter");
  await expect(form.getByText("Say what you'll do.")).toBeVisible();
  const title = `Call ten customers ${payload}`;
  await form.getByLabel("What will you do?").fill(title);
  await form.getByLabel("How will you know it's done?").fill("Ten names on a list.");
  await form.getByRole("searchbox", { name: "Find a member by name" }).fill(tom.first);
  await form.getByRole("button", { name: `Choose ${tom.name}` }).press("Enter");
  await expect(form.getByRole("button", { name: `Remove ${tom.name}` })).toBeVisible();
  await expectAccessible(page);
  await form.getByRole("button", { name: "Make this pact" }).press("Enter");
  await expect(page).toHaveURL("/learning/pacts");
  const own = page.getByRole("region", { name: "Your open pacts" });
  await expect(own.getByRole("link", { name: title })).toBeVisible();
  await expect(own.getByRole("list", { name: "Witnesses" })).toContainText("Asked");
  await expectAccessible(page);

  const bell = theirs.getByRole("button", { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  const line = theirs.getByRole("dialog", { name: "Notifications" }).getByRole("link");
  await expect(line).toContainText(`${ada.name} asked you to witness a pact`);
  await line.click();
  await expect(theirs).toHaveURL("/learning/pacts");
  await theirs.getByRole("button", { name: "Accept" }).click();
  await expect(theirs.getByRole("region", { name: "You're a witness" })).toContainText(title);

  await expect(page.getByRole("button", { name: /^Notifications/ })).toHaveAccessibleName(
    "Notifications, 1 unread",
  );
  await page.getByRole("link", { name: "Record how it went" }).click();
  await expect(page.getByText(title)).toBeVisible();
  await expect(page.getByRole("radio")).toHaveCount(3);
  await page.getByRole("radio", { name: /Success/ }).check();
  await page.getByLabel("Title", { exact: true }).fill("Ten calls, two orders");
  await page.getByLabel("Content").fill("I called on Tuesday and Wednesday.");
  await expectBriefly(page, "Submission created successfully!", async () => {
    await page.getByRole("button", { name: "Submit" }).click();
  });
  await expect(page).toHaveURL("/learning/submissions");
  const outcome = page.getByRole("article", { name: "Ten calls, two orders" }).first();
  await expect(outcome).toContainText("Kept");
  await expect(outcome).toContainText(`Witnessed by ${tom.name}`);
  await expectAccessible(page);
  await outcome.getByRole("link", { name: title }).click();
  await expect(page.getByRole("article", { name: title })).toContainText("Read how it went");

  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  await line.first().click();
  await expect(theirs.getByRole("article", { name: "Ten calls, two orders" })).toBeVisible();
  await theirs.goto(`/members/${ada.account.id}`);
  await expect(theirs.getByRole("heading", { name: "1 pact kept" })).toBeVisible();
  await expect(theirs.getByRole("region", { name: "1 pact kept" })).toContainText(title);
  await expectAccessible(theirs);
  for (const window of [page, theirs]) {
    await expect(window.locator("img[src=x]")).toHaveCount(0);
    await expect(window).not.toHaveTitle("ran");
  }
});
