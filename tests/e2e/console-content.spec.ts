import { randomUUID } from "node:crypto";
import { createAccount, createAdmin } from "./support/accounts.ts";
import {
  createMember,
  createQuietRoom,
  createRoom,
  expectRoom,
  quietRooms,
} from "./support/chat.ts";
import { addArticle, makeShelf, setAccountLevel } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a room that an administrator creates, and closes, is followed live by members", async ({
  page,
  openAs,
  browser,
}) => {
  const id = `club-${randomUUID().slice(0, 8)}`;
  const name = `Club ${id.slice(5)}`;
  const kit = await createMember("Kit");
  await createQuietRoom(kit);
  const member = await openWindow(browser, kit, "/chats");
  await member.getByRole("button", { name: quietRooms }).click();
  const inside = await createRoom();
  const guest = await openWindow(browser, await createMember("Ada"), `/chats/${inside.id}`);
  await expectRoom(guest, inside.name);

  await openAs(await createAdmin(), "/admindash/content");
  await expect(page.getByRole("table", { name: "Chat rooms" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New room" }).click();
  const panel = page.getByRole("dialog", { name: "New room" });
  await panel.getByLabel("Address").fill(id);
  await panel.getByLabel("Name").fill(name);
  await panel.getByLabel("Description").fill("<b>About</b> books.");
  await expectAccessible(page);
  await page.keyboard.press("Tab");
  await panel.getByRole("button", { name: "Create room" }).press("Enter");
  await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
  await expect(member.getByText(name, { exact: true })).toBeVisible();
  await expect(member.getByText("<b>About</b> books.")).toBeVisible();

  for (const each of [name, inside.name]) {
    await page.getByRole("button", { name: each, exact: true }).press("Enter");
    await page.getByRole("button", { name: "Close room" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("Its messages are kept.");
    await question.getByRole("button", { name: "Close room" }).click();
    await expect(page.getByRole("row", { name: new RegExp(each) })).toContainText("Closed");
  }
  await expect(member.getByText(name)).toHaveCount(0);
  await expect(guest.getByRole("heading", { name: "Room not found" })).toBeVisible();
});

test("a withdrawn article disappears for members and comes back when it is published", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const title = `Withdrawn ${shelf.slug}`;
  await addArticle(shelf, title);
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 2);
  const member = await openWindow(browser, account, `/knowledge/foundations/${shelf.slug}`);
  await expect(member.getByText(title)).toBeVisible();

  await openAs(await createAdmin(), "/admindash/content?part=articles");
  await page.getByLabel("Search titles").fill(shelf.slug);
  await expect(page).toHaveURL(/search=shelf-/);
  await expectAccessible(page);
  await page.getByRole("button", { name: title, exact: true }).click();
  const panel = page.getByRole("dialog", { name: title });
  await panel.getByRole("button", { name: "Feature" }).click();
  await expect(panel.getByRole("button", { name: "Stop featuring" })).toBeVisible();
  await panel.getByRole("button", { name: "Withdraw article" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Withdraw article" }).click();
  await expect(panel.getByRole("button", { name: "Publish article" })).toBeVisible();
  await member.reload();
  await expect(member.getByText("No articles yet")).toBeVisible();

  await panel.getByRole("button", { name: "Publish article" }).click();
  await expect(panel.getByRole("button", { name: "Withdraw article" })).toBeVisible();
  await member.reload();
  await expect(member.getByText(title)).toBeVisible();
  await expect(member.getByText("Featured", { exact: true })).toBeVisible();
});

test("a changed requirement is previewed, and the member's figures follow", async ({
  page,
  openAs,
  browser,
}) => {
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 3);
  const member = await openWindow(browser, account, "/progress");
  await expect(member.getByText(/of 350/).first()).toBeVisible();
  await openAs(await createAdmin(), "/admindash/settings");
  await expect(page.getByRole("table", { name: "Level requirements" })).toBeVisible();
  await expectAccessible(page);
  const change = async (from: number, to: number) => {
    await page.getByRole("button", { name: `Level 3 Business: ${from} engagements` }).click();
    const panel = page.getByRole("dialog", { name: "Level 3 Business" });
    await panel.getByLabel("How many").fill(String(to));
    await expect(panel.getByRole("region", { name: "What it means" })).toContainText(
      /members? at this level/,
    );
    await expectAccessible(page);
    await panel.getByRole("button", { name: "Save requirement" }).click();
    await expect(page.getByRole("row", { name: new RegExp(`${to} engagements`) })).toBeVisible();
  };
  await change(350, 351);
  await member.reload();
  await expect(member.getByText(/of 351/).first()).toBeVisible();
  await change(351, 350);
});

test("a changed e-mail text is shown in the e-mail as text, and the default comes back", async ({
  page,
  openAs,
}) => {
  await openAs(await createAdmin(), "/admindash/settings?part=emails");
  const open = async () => await page.getByRole("button", { name: "Account suspended" }).click();
  await open();
  const panel = page.getByRole("dialog", { name: "Account suspended" });
  const preview = panel.getByRole("region", { name: "Preview" });
  const hostile = "<script>alert(1)</script> Write to {support}.";
  await panel.getByLabel("Paragraph: closing").fill("Ask {nobody}.");
  await panel.getByRole("button", { name: "Save texts" }).click();
  await expect(panel.getByRole("alert")).toContainText("names a value this e-mail does not have");
  await panel.getByLabel("Paragraph: closing").fill(hostile);
  const shown = "<script>alert(1)</script> Write to support@fourfold.example.";
  await expect(preview).toContainText(shown);
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Save texts" }).click();
  await expect(page.getByRole("row", { name: /Account suspended/ })).toContainText("1 changed");
  const email = await page.request.get("/dev/emails/account_suspended");
  const html = await email.text();
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; Write to support@");
  expect(html).not.toContain("<script>");

  await open();
  await panel.getByRole("button", { name: "Use the default paragraph: closing" }).click();
  await panel.getByRole("button", { name: "Save texts" }).click();
  await expect(page.getByRole("row", { name: /Account suspended/ })).toContainText("Default");
});
