import { createMember, createRoom, expectRoom, field, row, visit } from "./support/chat.ts";
import { expect, test } from "./support/test.ts";

/** Holds the answer about the room until it is released. */
function holdRoom() {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release: () => release(), held };
}

test("letters that are typed while a room is loading are in its field, and the rest follows them", async ({
  browser,
}) => {
  const room = await createRoom();
  const { held, release } = holdRoom();
  const ada = await visit(browser, await createMember("Ada"), `/chats/${room.id}`, async (page) => {
    await page.route("**/rest/v1/chat_rooms?**", async (route) => {
      await held;
      await route.continue();
    });
  });
  const { page } = ada;
  await expect(page.getByText("Loading the room", { exact: true })).toBeAttached();
  await page.keyboard.type("Three calls ");
  release();
  await expect(field(page)).toHaveValue("Three calls ");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("booked.");
  await expectRoom(page, room.name);
  await page.keyboard.press("Enter");
  await expect(row(page, "Three calls booked.")).toHaveAttribute("data-delivery", "saved");
  await ada.close();
});

test("letters that are typed from the choice of a room on are in its field", async ({
  browser,
}) => {
  const room = await createRoom();
  const { held, release } = holdRoom();
  const ada = await visit(browser, await createMember("Ada"), `/chats/${room.id}`);
  const { page } = ada;
  await expectRoom(page, room.name);
  await page.getByRole("link", { name: "All chat rooms" }).click();
  await expect(page.getByRole("heading", { name: "Chat rooms" })).toBeVisible();
  const ben = await createMember("Ben");
  await ben.client
    .from("chat_messages")
    .insert({ user_id: ben.id, chat_room_id: room.id, content: "Good morning" });
  await page.reload();
  const link = page.getByRole("link", { name: new RegExp(`^${room.name}`) });
  // Before that the list's own code may be on its way.
  await expect(link).toBeVisible();
  // The room's own code, and nothing else that the list has not asked for.
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await link.click();
  await page.keyboard.type("hello to all");
  release();
  await expect(field(page)).toHaveValue("hello to all");
  await expect(field(page)).toBeFocused();
  await ada.close();
});
