import type { Locator, Page } from "@playwright/test";
import { createAccount, newEmail, testPassword } from "./support/accounts.ts";
import { createRoom, field, fillRoom, row } from "./support/chat.ts";
import { signUpInBrowser } from "./support/member-journey.ts";
import { expect, test } from "./support/test.ts";

/** Where it is drawn: of a heading its words, because its box is as wide as the page. */
async function areaOf(locator: Locator) {
  return await locator.evaluate(
    (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { x, y, width, height } = (
        element.matches("h1") ? range : element
      ).getBoundingClientRect();
      return { x, y, width, height };
    },
    undefined,
    { timeout: 1000 },
  );
}

/** What of these the toast lies on, as soon as all of them are there. */
async function coveredBy(toast: Locator, others: readonly Locator[]): Promise<string[]> {
  const [told, ...boxes] = await Promise.all([toast, ...others].map(areaOf));
  return others.flatMap((other, index) => {
    const box = boxes[index];
    if (!told || !box) return [`${other.toString()} or the toast is not there`];
    const isApart =
      told.x + told.width <= box.x ||
      box.x + box.width <= told.x ||
      told.y + told.height <= box.y ||
      box.y + box.height <= told.y;
    return isApart ? [] : [other.toString()];
  });
}

/** Reports a message of a room, until the window that asks why is closed. */
async function report(page: Page, message: Locator): Promise<void> {
  await message.hover();
  await message.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Report this message" }).click();
  const dialog = page.getByRole("dialog", { name: "Report this message" });
  await dialog.getByRole("textbox").fill("Advertising");
  await dialog.getByRole("button", { name: "Send report" }).click();
  await expect(dialog).toBeHidden();
}

/** Expects the toast whole in the window and apart from all of these, which are in it too. It moves in from the edge. */
async function expectApart(page: Page, text: string, others: readonly Locator[]): Promise<void> {
  const told = page.locator("[data-sonner-toast][data-mounted=true]", { hasText: text });
  await expect(told).toBeVisible();
  // Keeps it for as long as the next page takes.
  await page.keyboard.press("Alt+KeyT");
  await expect(async () => {
    expect(await coveredBy(told, others)).toEqual([]);
    for (const each of [told, ...others]) {
      await expect(each).toBeInViewport({ ratio: 1, timeout: 1000 });
    }
  }).toPass({ timeout: 20_000 });
}

for (const width of [390, 820]) {
  test(`in a room of ${width} px the newest message stays in sight below a toast`, async ({
    page,
    openAs,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const [reader, author] = await Promise.all([
      createAccount("onboarded"),
      createAccount("onboarded"),
    ]);
    const { id } = await createRoom();
    await fillRoom(id, [author], 30);
    await openAs(reader, `/chats/${id}`);
    const message = row(page, "Message 30");
    await report(page, message);
    const told = "Thank you. An administrator will look at it.";
    await expectApart(page, told, [message, field(page)]);
    // Without it the place goes back to the messages.
    await page.locator("[data-sonner-toast]").press("Escape");
    const gap = async () => {
      const [last, below] = await Promise.all([message.boundingBox(), field(page).boundingBox()]);
      return (below?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0);
    };
    await expect.poll(gap).toBeLessThan(60);
  });
}

for (const [device, viewport] of [
  ["a phone", { width: 390, height: 844 }],
  ["a tablet", { width: 820, height: 1180 }],
  ["a laptop", { width: 1440, height: 900 }],
] as const) {
  test.describe(`on ${device}`, () => {
    test.use({ viewport });

    test("the confirmation of a sign-in leaves the heading and the navigation free", async ({
      page,
    }) => {
      const { email } = await createAccount("onboarded");
      await page.goto("/signin");
      await page.getByLabel("Email").fill(email);
      await page.getByLabel("Password", { exact: true }).fill(testPassword);
      await page.getByRole("button", { name: "Sign in" }).click();
      const main = page.getByRole("navigation", { name: "Main" });
      await expectApart(page, "Successfully signed in!", [
        page.getByRole("heading", { level: 1, name: /Amara/ }),
        ...["Home", "Chats"].map((name) => main.getByRole("link", { name }).first()),
        ...(viewport.width < 1024 ? [] : [page.getByRole("button", { name: /account/i })]),
      ]);
    });

    test("the confirmation of a new account leaves the heading, the card and PAY free", async ({
      page,
    }) => {
      await signUpInBrowser(page, newEmail());
      await expectApart(page, "Account created successfully!", [
        page.getByRole("heading", { level: 1, name: "Choose Your Plan" }),
        ...(viewport.width === 820 ? [] : [page.getByRole("button", { name: /^PAY £/ })]),
        ...(viewport.width < 1024
          ? []
          : [page.locator('iframe[name^="__privateStripeFrame"]').first()]),
      ]);
    });

    test("in a room nothing is told over its head, or over the message field however tall it is", async ({
      page,
      openAs,
    }) => {
      const [reader, author] = await Promise.all([
        createAccount("onboarded"),
        createAccount("onboarded"),
      ]);
      const { id, name } = await createRoom();
      await fillRoom(id, [author], 1);
      await openAs(reader, `/chats/${id}`);
      await field(page).fill("One\nTwo\nThree\nFour");
      const message = row(page, "Message 1");
      await report(page, message);
      await expectApart(page, "Thank you. An administrator will look at it.", [
        page.getByRole("heading", { level: 1, name }),
        field(page),
        page.getByRole("button", { name: "Send", exact: true }),
      ]);
    });
  });
}
