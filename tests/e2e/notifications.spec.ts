import { createMember } from "./support/chat.ts";
import { openWindow } from "./support/open-window.ts";
import { createSubmission } from "./support/progress-events.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a like reaches the bell live, and what is opened on one device is read on the other", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const id = await createSubmission(ada, "My first client");
  await openAs(ada, "/chats");
  const phone = await openWindow(browser, ada, "/progress");
  await phone.setViewportSize({ width: 390, height: 844 });
  const bell = page.getByRole("button", { name: "Notifications" });
  const theirs = phone.getByRole("button", { name: "Notifications" });
  await expect(bell).toHaveAccessibleName("Notifications");
  await expect(theirs).toHaveAccessibleName("Notifications");

  const like = { user_id: tom.id, submission_id: id };
  expect((await tom.client.from("learning_submission_likes").insert(like)).error).toBeNull();
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await expect(page).toHaveTitle(/^\(1\) Chats · Fourfold$/);
  await expect(theirs).toHaveAccessibleName("Notifications, 1 unread");

  await bell.press("Enter");
  const popover = page.getByRole("dialog", { name: "Notifications" });
  await expect(popover.getByRole("link")).toContainText("Tom Whitfield liked your submission");
  await expectAccessible(page);
  await theirs.click();
  const sheet = phone.getByRole("dialog", { name: "Notifications" });
  await expect(sheet.getByRole("link")).toContainText("My first client");
  await expectAccessible(phone);

  await popover.getByRole("link").press("Enter");
  await expect(page).toHaveURL(`/learning/submissions?submission=${id}`);
  await expect(page.getByRole("article", { name: "My first client" })).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");
  await expect(sheet.getByRole("button", { name: "Mark all as read" })).toBeHidden();
  await expect(phone).toHaveTitle(/^[^(]+ · Fourfold$/);
});
