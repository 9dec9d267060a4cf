import { createAdmin } from "./support/accounts.ts";
import {
  expectRoom,
  field,
  fillRoom,
  createMember,
  createRoom,
  row,
  rows,
  sendChatMessage,
  visit,
  type Visitor,
} from "./support/chat.ts";
import { runAsOwner } from "./support/owner-database.ts";
import { openReport, removeReported } from "./support/reports.ts";
import { expect, test } from "./support/test.ts";
import type { Browser, Page } from "@playwright/test";

async function enter(
  browser: Browser,
  room: { id: string; name: string },
  name: string,
): Promise<Visitor> {
  const visitor = await visit(browser, await createMember(name), `/chats/${room.id}`);
  await expectRoom(visitor.page, room.name);
  return visitor;
}

/** Opens the menu of a message and takes an entry. */
async function choose(page: Page, text: string, entry: string): Promise<void> {
  await row(page, text).hover();
  await row(page, text).getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

test("one message at a time shows its actions: what the pointer is on, or what the keys lead to", async ({
  browser,
}) => {
  const room = await createRoom();
  const { page } = await enter(browser, room, "Ada");
  await sendChatMessage(page, "The first one.");
  await sendChatMessage(page, "The second one.");
  await expect(row(page, "The second one.").getByRole("group")).toBeAttached();
  const shown = async () =>
    await page.locator("article[data-message]").evaluateAll((rows) =>
      rows
        .filter((each) => {
          const bar = each.querySelector("[role=group]");
          return bar !== null && getComputedStyle(bar).opacity === "1";
        })
        .map((each) => (each.textContent.includes("first") ? "first" : "second")),
    );
  await row(page, "The first one.").hover();
  await expect.poll(shown).toEqual(["first"]);
  await page.keyboard.press("ArrowUp");
  await expect(row(page, "The second one.")).toBeFocused();
  await expect.poll(shown).toEqual(["second"]);
  await row(page, "The first one.").hover({ position: { x: 60, y: 10 } });
  await expect.poll(shown).toEqual(["first"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("End");
  await expect.poll(shown).toEqual(["second"]);
});

test("on a phone the actions of a message lie on no name and no badge", async ({ browser }) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([createMember("Ada"), createMember("Ben")]);
  await fillRoom(room.id, [ada, ben], 6);
  const long =
    "Could you photograph a chemistry lesson that happens in the kitchen? Asking for one.";
  await runAsOwner("update public.chat_messages set content = $2 where chat_room_id = $1", [
    room.id,
    long,
  ]);
  const visitor = await visit(browser, ada, `/chats/${room.id}`, (page) =>
    page.setViewportSize({ width: 390, height: 844 }),
  );
  const { page } = visitor;
  await expectRoom(page, room.name);
  const chosen = rows(page).nth(3);
  const bar = chosen.getByRole("group");
  // The list may still move while its rows are measured.
  await expect(async () => {
    await chosen.hover({ position: { x: 100, y: 60 } });
    await expect(bar).toHaveCSS("opacity", "1", { timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  const covered = await bar.evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [...document.querySelectorAll("article[data-message] p:first-child > *")]
      .filter((each) => {
        const other = each.getBoundingClientRect();
        const isAcross = other.right > box.left && other.left < box.right;
        return isAcross && other.bottom > box.top && other.top < box.bottom;
      })
      .map((each) => each.textContent);
  });
  expect(covered).toEqual([]);
  await chosen.getByRole("button", { name: "More", exact: true }).click();
  await expect(page.getByRole("menuitem", { name: "Copy link" })).toBeVisible();
  await visitor.close();
});

test("between two members a message, a reply, a like and an unlike arrive live", async ({
  browser,
}) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([enter(browser, room, "Ada"), enter(browser, room, "Ben")]);

  await sendChatMessage(ada.page, "Good morning, everybody.");
  const arrived = row(ben.page, "Good morning, everybody.");
  await expect(arrived).toContainText("Ada Whitfield");
  await expect(arrived).toContainText("Student");

  await arrived.hover();
  await arrived.getByRole("button", { name: "Reply", exact: true }).click();
  await expect(ben.page.getByText("Replying to")).toBeVisible();
  await expect(field(ben.page)).toBeFocused();
  await sendChatMessage(ben.page, "Morning, Ada.");
  await expect(ben.page.getByText("Replying to")).toBeHidden();
  await expect(field(ben.page)).toBeFocused();
  const reply = row(ada.page, "Morning, Ada.");
  await expect(reply).toContainText("In reply to");
  await expect(reply).toContainText("Good morning, everybody.");
  await expect(reply).toContainText("Ben Whitfield");

  await arrived.hover();
  await arrived.getByRole("button", { name: "Like", exact: true }).click();
  const liked = row(ada.page, "Good morning, everybody.");
  await expect(liked.getByRole("button", { name: "1 like" })).toBeVisible();
  await arrived.getByRole("button", { name: "Unlike" }).click();
  await expect(liked.getByRole("button", { name: "1 like" })).toHaveCount(0);

  await expect(rows(ada.page)).toHaveCount(2);
  await expect(rows(ben.page)).toHaveCount(2);
  await Promise.all([ada.close(), ben.close()]);
});

test("three members see the same messages, and see each other", async ({ browser }) => {
  const room = await createRoom();
  const visitors = await Promise.all(
    ["Ada", "Ben", "Cy"].map((name) => enter(browser, room, name)),
  );
  const texts = ["First of Ada", "First of Ben", "First of Cy"];
  await Promise.all(visitors.map(({ page }, index) => sendChatMessage(page, texts[index] ?? "")));
  for (const { page } of visitors) {
    for (const text of texts) await expect(row(page, text)).toHaveCount(1);
    await expect(rows(page)).toHaveCount(3);
    await expect(page.getByRole("button", { name: "3 here now" })).toBeVisible();
  }
  const orders = await Promise.all(
    visitors.map(({ page }) => page.locator("[data-words]").allTextContents()),
  );
  expect(orders[1]).toEqual(orders[0]);
  expect(orders[2]).toEqual(orders[0]);

  const [ada, ben, cy] = visitors as [Visitor, Visitor, Visitor];
  await ada.page.getByRole("button", { name: "3 here now" }).click();
  const here = ada.page.getByRole("dialog", { name: "Who's here" });
  for (const name of ["Ada", "Ben", "Cy"]) {
    await expect(here.getByText(`${name} Whitfield`)).toBeVisible();
  }
  await ada.page.keyboard.press("Escape");
  await expect(here).toBeHidden();

  const seen = [ada, ben].map(
    async (each) => await expect(each.page.getByText("Cy Whitfield is typing…")).toBeVisible(),
  );
  await field(cy.page).pressSequentially("Let me think");
  await Promise.all(seen);
  await cy.page.keyboard.press("Enter");
  await expect(row(ada.page, "Let me think")).toBeVisible();
  await expect(ada.page.getByText("Cy Whitfield is typing…")).toBeHidden();
  await Promise.all(visitors.map(({ close }) => close()));
});

test("a member edits and deletes a message, and another sees it at once", async ({ browser }) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([enter(browser, room, "Ada"), enter(browser, room, "Ben")]);
  await sendChatMessage(ada.page, "Monday at nine");
  await expect(row(ben.page, "Monday at nine")).toBeVisible();

  await choose(ada.page, "Monday at nine", "Edit");
  const edit = ada.page.getByRole("textbox", { name: "Edit your message" });
  await expect(edit).toBeFocused();
  await edit.fill("Monday at ten");
  await ada.page.keyboard.press("Enter");
  for (const { page } of [ada, ben]) {
    await expect(row(page, "Monday at ten")).toContainText("(edited)");
  }

  await row(ben.page, "Monday at ten").hover();
  await row(ben.page, "Monday at ten").getByRole("button", { name: "More", exact: true }).click();
  await expect(ben.page.getByRole("menuitem", { name: "Copy link" })).toBeVisible();
  await expect(ben.page.getByRole("menuitem", { name: "Edit" })).toHaveCount(0);
  await expect(ben.page.getByRole("menuitem", { name: "Delete" })).toHaveCount(0);
  await ben.page.keyboard.press("Escape");

  await choose(ada.page, "Monday at ten", "Delete");
  const question = ada.page.getByRole("alertdialog", { name: "Delete this message?" });
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(row(ada.page, "Monday at ten")).toBeVisible();
  await choose(ada.page, "Monday at ten", "Delete");
  await question.getByRole("button", { name: "Delete message" }).click();
  for (const { page } of [ada, ben]) {
    await expect(page.getByRole("article").getByText("This message was deleted.")).toBeVisible();
    await expect(row(page, "Monday at ten")).toHaveCount(0);
  }
  await Promise.all([ada.close(), ben.close()]);
});

test("a report reaches the administrators, and a deletion reaches the room", async ({
  browser,
}) => {
  const room = await createRoom();
  const [ada, ben] = await Promise.all([enter(browser, room, "Ada"), enter(browser, room, "Ben")]);
  const text = `Buy my coins ${room.id}`;
  await sendChatMessage(ben.page, "What did you sell this week?");
  await expect(row(ada.page, "What did you sell this week?")).toBeVisible();
  await sendChatMessage(ada.page, text);
  await expect(row(ben.page, text)).toBeVisible();

  await choose(ben.page, text, "Report this message");
  const dialog = ben.page.getByRole("dialog", { name: "Report this message" });
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog.getByText("Choose what's wrong, or say it in your own words.")).toBeVisible();
  const reason = `Advertising ${room.id}`;
  await dialog.getByRole("radio", { name: "Spam or advertising" }).check();
  await dialog.getByLabel("In your own words").fill(reason);
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(ben.page.getByText("Thank you. An administrator will look at it.")).toBeVisible();

  const admin = await visit(browser, await createAdmin(), "/admindash/queues?queue=messages");
  const report = await openReport(admin.page, reason);
  await expect(report).toContainText(text);
  await expect(report).toContainText("Ada Whitfield");
  await expect(report.getByRole("list", { name: "Reasons" })).toContainText("Spam or advertising");
  await expect(report.getByRole("list", { name: "What was written before" })).toContainText(
    "Ben Whitfield: What did you sell this week?",
  );
  await report.getByRole("button", { name: "Delete" }).click();
  const why = await removeReported(admin.page, "Delete message");
  await expect(admin.page.getByRole("button", { name: reason })).toHaveCount(0);
  for (const { page } of [ada, ben]) {
    await expect(page.getByRole("article").getByText("This message was deleted.")).toBeVisible();
  }
  await ada.page.getByRole("button", { name: /^Notifications, 1 unread/ }).click();
  await expect(
    ada.page.getByRole("link", { name: `The message you wrote in ${room.name}` }),
  ).toContainText(why);
  await Promise.all([ada.close(), ben.close(), admin.close()]);
});

test("an administrator deletes a message in its room, and its author reads which and why, and is led to it", async ({
  browser,
}) => {
  const room = await createRoom();
  const text = "Call my client on his own phone";
  const [ada, admin] = await Promise.all([
    enter(browser, room, "Ada"),
    visit(browser, await createAdmin(), `/chats/${room.id}`),
  ]);
  await sendChatMessage(ada.page, text);
  await expect(row(admin.page, text)).toBeVisible();
  await choose(admin.page, text, "Delete");
  const why = await removeReported(admin.page, "Delete message");
  for (const { page } of [ada, admin]) {
    await expect(page.getByRole("article").getByText("This message was deleted.")).toBeVisible();
  }
  const bell = ada.page.getByRole("button", { name: /^Notifications/ });
  const line = ada.page.getByRole("link", { name: `The message you wrote in ${room.name}` });
  await ada.page.goto("/progress");
  await expect(bell).toHaveAccessibleName("Notifications, 1 unread");
  await bell.click();
  await expect(line).toContainText(`“${text}”, was removed`);
  await expect(line).toContainText(why);
  await line.click();
  await expectRoom(ada.page, room.name);
  const led = rows(ada.page).and(ada.page.locator("[aria-current=location]"));
  await expect(led).toContainText("This message was deleted.");
  // Once the room is closed to its author, the line leads to what any closed room says.
  await ada.page.goto("/progress");
  const raise = "update public.chat_rooms set min_level_required = 3 where id = $1";
  await runAsOwner(raise, [room.id]);
  await bell.click();
  await line.click();
  await expect(ada.page).toHaveURL(/\/chats$/);
  await expect(ada.page.getByText(`${room.name} is locked`)).toBeVisible();
  await expect(ada.page.getByRole("log")).toHaveCount(0);
  await Promise.all([ada.close(), admin.close()]);
});

test("names carry the colour of their role", async ({ browser }) => {
  const room = await createRoom();
  const [ada, admin] = await Promise.all([
    enter(browser, room, "Ada"),
    visit(browser, await createAdmin(), `/chats/${room.id}`),
  ]);
  await expectRoom(admin.page, room.name);
  await sendChatMessage(ada.page, "A question");
  await sendChatMessage(admin.page, "An answer");
  const badge = (page: Page, text: string) => row(page, text).locator("[data-role]");
  await expect(badge(admin.page, "A question")).toHaveText("Student");
  await expect(badge(ada.page, "An answer")).toHaveText("Admin");
  await expect(badge(ada.page, "An answer")).toHaveAttribute("data-role", "admin");
  await Promise.all([ada.close(), admin.close()]);
});
