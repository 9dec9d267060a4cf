import { createAdmin, runAsOwner } from "./support/accounts.ts";
import { createMember, createRoom, expectRoom, field, row } from "./support/chat.ts";
import { createSubmission } from "./support/progress-events.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** A name of letters: none is the beginning of another. */
function nameOf(roomId: string): string {
  const letters = roomId.slice(-8).replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
  return `Z${letters}`;
}

test("a member picked by keyboard is told live, and the bell leads to the message", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const room = await createRoom();
  // Names are text, whatever they hold.
  const payload = "<img src=x onerror=document.title='ran'>";
  const first = nameOf(room.id);
  const rename = "update public.profiles set first_name = $2, last_name = $3 where id = $1";
  await runAsOwner(rename, [ada.id, "Ada", payload]);
  await runAsOwner(rename, [tom.id, first, payload]);
  const phone = await openWindow(browser, tom, "/progress");
  await phone.setViewportSize({ width: 390, height: 844 });
  await openAs(ada, `/chats/${room.id}`);
  await expectRoom(page, room.name);

  await field(page).pressSequentially(`Ask @${first.toLowerCase()}`);
  await expect(page.getByRole("listbox")).toBeVisible();
  await field(page).press("Escape");
  await expect(page.getByRole("listbox")).toBeHidden();
  await field(page).fill("");
  await field(page).pressSequentially(`Ask @${first.toLowerCase()}`);
  const name = `${first} ${payload}`;
  await expect(page.getByRole("option", { name, selected: true })).toBeVisible();
  await expectAccessible(page);
  await field(page).press("ArrowDown");
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue(`Ask @${name} `);
  await expect(page.getByRole("listbox")).toBeHidden();
  await field(page).press("Enter");
  await expect(row(page, `Ask @${name}`)).toHaveAttribute("data-delivery", "saved");

  const bell = phone.getByRole("button", { name: "Notifications" });
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  const line = phone.getByRole("dialog", { name: "Notifications" }).getByRole("link");
  await expect(line).toContainText(`Ada ${payload} mentioned you in ${room.name}`);
  await line.click();
  await expect(phone).toHaveURL(new RegExp(`/chats/${room.id}#[0-9a-f-]{36}$`));
  await expect(row(phone, `Ask @${name}`)).toBeVisible();
  await expect(bell).toHaveAccessibleName("Notifications");
  for (const window of [page, phone]) {
    await expect(window.locator("img[src=x]")).toHaveCount(0);
    await expect(window).not.toHaveTitle("ran");
  }
});

test("a comment names a member by keyboard, who is led to it, and an announcement reaches everyone once", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom, admin] = [
    await createMember("Ada"),
    await createMember("Tom", 4),
    await createAdmin(),
  ];
  // Members of other tests are not to be told.
  const room = await createRoom(4);
  const last = nameOf(room.id);
  const rename = "update public.profiles set first_name = $2, last_name = $3 where id = $1";
  await runAsOwner(rename, [tom.id, "Tom", last]);
  // Of the new level.
  await runAsOwner("delete from public.notifications where user_id = $1", [tom.id]);
  const id = await createSubmission(ada, "My first client");
  const phone = await openWindow(browser, tom, "/progress");
  await phone.setViewportSize({ width: 390, height: 844 });
  const bell = phone.getByRole("button", { name: "Notifications" });
  await expect(bell).toHaveAccessibleName("Notifications");

  await openAs(ada, `/learning/submissions?submission=${id}&comments=open`);
  const comment = page.getByLabel("Your comment");
  await comment.pressSequentially(`Thanks **a lot** @${last.toLowerCase()}`);
  const name = `Tom ${last}`;
  await expect(page.getByRole("option", { name, selected: true })).toBeVisible();
  await expectAccessible(page);
  await comment.press("Enter");
  await expect(comment).toHaveValue(`Thanks **a lot** @${name} `);
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const named = page.locator("[data-mention=other]");
  await expect(named.getByRole("link", { name })).toHaveAttribute("href", `/members/${tom.id}`);

  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  await phone.getByRole("link", { name: /mentioned you in a comment/ }).click();
  await expect(phone.locator("[data-mention=you]")).toHaveText(`@${name}`);
  await expect(phone.getByText("a lot")).toBeVisible();

  const desk = await openWindow(browser, admin, `/chats/${room.id}`);
  await field(desk).pressSequentially("Hello @ev");
  await desk.getByRole("option", { name: /^everyone/ }).click();
  await expect(desk.getByText("Everyone who can read this room will be notified.")).toBeVisible();
  await field(desk).press("Enter");
  await expect(row(desk, "Hello @everyone")).toHaveAttribute("data-delivery", "saved");
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  const line = phone.getByRole("link", { name: new RegExp(`posted to everyone in ${room.name}`) });
  await expect(line).toHaveCount(1);
  await line.click();
  await expect(phone).toHaveURL(new RegExp(`/chats/${room.id}#`));
  await expect(phone.locator("[data-mention=you]")).toHaveText("@everyone");
  await expect(bell).toHaveAccessibleName("Notifications");
  await desk.context().close();
});
