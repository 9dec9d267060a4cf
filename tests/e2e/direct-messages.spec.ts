import { randomUUID } from "node:crypto";
import { createMember } from "./support/chat.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a message reaches the other member live, is answered, and a block closes the door", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const theirs = await openWindow(browser, tom, "/progress");
  await openAs(ada, `/members/${tom.id}`);
  await page.getByRole("link", { name: "Message", exact: true }).click();
  await expect(page).toHaveURL(`/messages/${tom.id}`);
  const field = page.getByRole("textbox", { name: /^Message to Tom/ });
  await expect(field).toBeFocused();
  await field.fill("May I ask about **VAT**?");
  await field.press("Enter");
  const mine = page.getByRole("log").getByRole("article").last();
  await expect(mine).toHaveAttribute("data-delivery", "saved");
  await expect(mine).toContainText("May I ask about VAT?");
  await expectAccessible(page);

  // Title and rail say so on the other side, wherever that member is; the bell doesn't count it again.
  await expect(theirs).toHaveTitle(/^\(1\) /);
  await expect(theirs.getByRole("button", { name: "Notifications", exact: true })).toBeVisible();
  const rail = theirs.getByRole("navigation", { name: "Main" }).first();
  await rail.getByRole("link", { name: /^Chats \d+ unread$/ }).click();
  const chats = theirs.getByRole("navigation", { name: "Chats" });
  await expect(rail.getByRole("link", { name: "Chats", exact: true })).toBeVisible();
  await chats.getByRole("link", { name: "Messages 1 unread" }).click();
  const line = theirs.getByRole("list", { name: "Conversations" }).getByRole("link");
  await expect(line).toContainText("May I ask about VAT?");
  await expectAccessible(theirs);
  await line.click();
  await expect(theirs.getByRole("log").getByRole("article")).toHaveCount(1);
  await expect(theirs).not.toHaveTitle(/^\(1\) /);
  await expect(chats.getByRole("link", { name: "Messages", exact: true })).toBeVisible();

  const answer = theirs.getByRole("textbox", { name: /^Message to Ada/ });
  const seen = expect(page.locator("[data-typing]")).toHaveText(/^Tom.* is typing…$/);
  await answer.pressSequentially("Of");
  await seen;
  await answer.fill("Of course");
  await answer.press("Enter");
  await expect(page.getByRole("log").getByRole("article").last()).toContainText("Of course");

  await theirs.getByRole("button", { name: /^More about Ada/ }).click();
  await theirs.getByRole("menuitem", { name: "Block" }).click();
  await theirs.getByRole("button", { name: /^Block Ada/ }).click();
  await expect(theirs.getByRole("heading", { name: /^You've blocked Ada/ })).toBeVisible();
  await field.fill("Are you there?");
  await field.press("Enter");
  await expect(
    page.getByText(/isn't taking messages from you|is not taking messages/),
  ).toBeVisible();
  await expect(page.getByRole("log").getByRole("article")).toHaveCount(2);
});

test("a post on Collaborate is answered by a message that names it", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const title = `Bookkeeper ${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const theirs = await openWindow(browser, tom, "/studentdash");
  await theirs.getByRole("link", { name: "People" }).first().click();
  await theirs
    .getByRole("navigation", { name: "People" })
    .getByRole("link", { name: "Collaborate" })
    .click();
  await expect(theirs).toHaveURL("/collaborate");
  await theirs.getByRole("button", { name: "New post" }).click();
  const form = theirs.getByRole("form", { name: "New post" });
  await form.getByLabel("Title").fill(title);
  await form.getByLabel("Details").fill("Two hours a month.");
  await expectAccessible(theirs);
  await form.getByRole("button", { name: "Post", exact: true }).click();
  await expect(theirs.getByRole("region", { name: "Your posts" })).toContainText(title);

  await openAs(ada, "/collaborate");
  await page.getByRole("searchbox", { name: "Search" }).fill(title.replace("Bookk", "Bok"));
  const post = page.getByRole("list", { name: "Posts" }).getByRole("article");
  await expect(post).toHaveCount(1);
  await expectAccessible(page);
  await post.getByRole("link", { name: `Answer ${title}` }).click();
  const field = page.getByRole("textbox", { name: /^Message to Tom/ });
  await expect(field).toHaveValue(`About your request “${title}”:\n`);
  await field.press("End");
  await field.press("Control+End");
  await field.pressSequentially("I can help.");
  await field.press("Enter");
  await expect(theirs).toHaveTitle(/^\(1\) /);
  await theirs.getByRole("button", { name: "Notifications", exact: true }).click();
  const line = theirs.getByRole("dialog", { name: "Notifications" }).getByRole("link");
  await expect(line).toContainText(`wrote to you`);
  await line.click();
  await expect(theirs.getByRole("log").getByRole("article")).toContainText("I can help.");
});
