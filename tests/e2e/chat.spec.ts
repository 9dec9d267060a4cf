import { expectRoom, field, makeMember, makeRoom, row, rows, say, visit } from "./support/chat.ts";
import { expect, test } from "./support/test.ts";

test.describe("two members in one room", () => {
  test("a message, a reply, a like and an unlike arrive live", async ({ browser }) => {
    const room = await makeRoom();
    const path = `/chats/${room.id}`;
    const [ada, ben] = await Promise.all([
      makeMember("Ada").then((account) => visit(browser, account, path)),
      makeMember("Ben").then((account) => visit(browser, account, path)),
    ]);
    await expectRoom(ada.page, room.name);
    await expectRoom(ben.page, room.name);

    await say(ada.page, "Good morning, everybody.");
    const arrived = row(ben.page, "Good morning, everybody.");
    await expect(arrived).toBeVisible();
    await expect(arrived).toContainText("Ada Whitfield");
    await expect(arrived).toContainText("Student");

    await arrived.hover();
    await arrived.getByRole("button", { name: "Reply" }).click();
    await expect(ben.page.getByText("Replying to")).toBeVisible();
    await expect(field(ben.page)).toBeFocused();
    await say(ben.page, "Morning, Ada.");
    await expect(ben.page.getByText("Replying to")).toBeHidden();
    const reply = row(ada.page, "Morning, Ada.");
    await expect(reply).toContainText("In reply to");
    await expect(reply).toContainText("Good morning, everybody.");
    await expect(reply).toContainText("Ben Whitfield");

    await arrived.hover();
    await arrived.getByRole("button", { name: "Like", exact: true }).click();
    const liked = row(ada.page, "Good morning, everybody.").first();
    await expect(liked.getByRole("button", { name: "1 like" })).toBeVisible();
    await arrived.getByRole("button", { name: "Unlike" }).click();
    await expect(liked.getByRole("button", { name: "1 like" })).toHaveCount(0);

    await expect(rows(ada.page)).toHaveCount(2);
    await expect(rows(ben.page)).toHaveCount(2);
    await Promise.all([ada.close(), ben.close()]);
  });
});
