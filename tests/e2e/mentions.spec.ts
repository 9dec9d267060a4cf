import { runAsOwner } from "./support/accounts.ts";
import { createMember, createRoom, expectRoom, field, row } from "./support/chat.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("a member picked by keyboard is told live, and the bell leads to the message", async ({
  page,
  openAs,
  browser,
}) => {
  const [ada, tom] = [await createMember("Ada"), await createMember("Tom")];
  const room = await createRoom();
  // Names are text, whatever they hold.
  const payload = "<img src=x onerror=document.title='ran'>";
  const first = `Z${room.id.replaceAll(/[^a-z]/g, "")}`;
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
