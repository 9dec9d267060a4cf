import sharp from "sharp";
import { createMember, createRoom, expectRoom, field, rows, visit } from "./support/chat.ts";
import { running } from "./support/running-product.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** A photo as a phone writes it: lying, with the camera and the way it was held. */
async function photo(): Promise<Buffer> {
  return await sharp({ create: { width: 900, height: 600, channels: 3, background: "#2a6f97" } })
    .jpeg()
    .withExif({ IFD0: { Make: "Kamera Werke" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

test("a picture reaches the others of the room at once, upright and bare, and nobody else", async ({
  browser,
}) => {
  const room = await createRoom(2);
  const [ada, ben, low] = await Promise.all([
    createMember("Ada", 2),
    createMember("Ben", 2),
    createMember("Lou"),
  ]);
  const path = `/chats/${room.id}`;
  const hers = await visit(browser, ada, path);
  const his = await visit(browser, ben, path);
  await expectRoom(hers.page, room.name);
  await expectRoom(his.page, room.name);

  const buffer = await photo();
  expect(buffer.includes("Kamera")).toBe(true);
  await hers.page
    .locator('input[type="file"]')
    .setInputFiles({ name: "desk.jpg", mimeType: "image/jpeg", buffer });
  await hers.page.getByLabel("Describe the picture").fill("A tidy desk");
  await expect(hers.page.getByRole("img", { name: "A tidy desk" })).toBeVisible();
  await expectAccessible(hers.page);
  await field(hers.page).press("Enter");
  await expect(rows(hers.page).last()).toHaveAttribute("data-delivery", "saved");

  const shown = rows(his.page).last().getByRole("img", { name: "A tidy desk" });
  await expect(shown).toBeVisible();
  await expect
    .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(600);
  // Only the picture stands there, in a place of its shape.
  await expect(rows(his.page).last().locator("[data-words]")).toHaveCount(0);
  const box = await shown.boundingBox();
  expect(Math.abs((box?.width ?? 0) / (box?.height ?? 1) - 600 / 900)).toBeLessThan(0.02);
  await shown.click();
  const large = his.page.getByRole("dialog", { name: "Picture from Ada Whitfield" });
  await expect(large.getByRole("img", { name: "A tidy desk" })).toBeVisible();
  await expectAccessible(his.page);
  await his.page.keyboard.press("Escape");
  await expect(large).toHaveCount(0);

  const { data } = await ben.client
    .from("chat_messages")
    .select("content, picture")
    .eq("chat_room_id", room.id)
    .single<{ content: string; picture: string }>();
  expect(data?.content).toBe("Picture");
  const name = data?.picture ?? "";
  const bytes = await ben.client.storage.from("message-pictures").download(name);
  const stored = Buffer.from((await bytes.data?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(stored.includes("Kamera")).toBe(false);
  const refused = await low.client.storage.from("message-pictures").download(name);
  expect(refused.data).toBeNull();
  for (const kind of ["", "public/", "authenticated/"]) {
    const address = `${running().host.url}/storage/v1/object/${kind}message-pictures/${name}`;
    expect((await fetch(address)).ok, address).toBe(false);
  }
  await hers.close();
  await his.close();
});
