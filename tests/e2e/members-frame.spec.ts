import { randomUUID } from "node:crypto";
import type { BrowserContext, Page } from "@playwright/test";
import { createAccount, createAdmin, seedSession } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { expect, test } from "./support/test.ts";

/** Holds back the app's scripts, as a slow line does, but not the few lines that show the frame. The answer lets them come. */
async function holdApp(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/.+\.js$/, async (route) => {
    const answer = await route.fetch();
    if ((await answer.body()).length > 8000) await released;
    await route.fulfill({ response: answer });
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: "wait" });
  };
}

/** Chooses the dark theme in this browser: once the document has it, the script that shows the frame has run. */
async function chooseDark(context: BrowserContext): Promise<void> {
  await context.addInitScript(() =>
    localStorage.setItem("fourfold-appearance", JSON.stringify({ theme: "dark" })),
  );
}

async function untilFrameIsDecided(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
}

const frameOn = (page: Page) => page.locator("[data-members-frame]");

for (const width of [390, 1440]) {
  test(`a member sees the frame before the app has come, and nothing jumps (${width} px)`, async ({
    page: member,
    context,
  }) => {
    await seedSession(context, await createMember("Ada"));
    await member.setViewportSize({ width, height: 844 });
    await member.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
        type: "layout-shift",
        buffered: true,
      });
    });
    for (const path of ["/studentdash", "/chats", "/progress"]) {
      const release = await holdApp(member);
      await member.goto(path, { waitUntil: "commit" });
      const frame = frameOn(member);
      await expect(frame).toBeVisible();
      const current = frame.locator("[aria-current=page]").filter({ visible: true });
      await expect(current.first()).toBeVisible();
      const place = await current.first().boundingBox();
      // It is a picture: nothing in it is pressed or read before the app does it.
      await expect(frame).toHaveAttribute("inert", "");
      await release();
      await expect(frame).toHaveCount(0);
      await expect(member.getByRole("heading", { level: 1 })).toBeVisible();
      const real = member.locator("[aria-current=page]").filter({ visible: true }).first();
      expect((await real.boundingBox())?.y).toBe(place?.y);
      const sum = await member.evaluate(() =>
        (window as unknown as { shifts: { value: number }[] }).shifts.reduce(
          (all, { value }) => all + value,
          0,
        ),
      );
      expect(sum, path).toBeLessThanOrEqual(0.02);
    }
  });
}

test("an administrator sees their own rail from the first moment, also outside the console", async ({
  page,
  openAs,
}) => {
  await openAs(await createAdmin(), "/admindash");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const path of ["/progress", `/members/${randomUUID()}`]) {
    const release = await holdApp(page);
    await page.goto(path, { waitUntil: "commit" });
    const frame = frameOn(page);
    await expect(frame.getByText("Console", { exact: true }).first()).toBeVisible();
    await expect(frame.getByText("Home", { exact: true })).toHaveCount(0);
    await release();
    await expect(frame).toHaveCount(0);
  }
});

test("a visitor never sees the members' frame", async ({ page, context }) => {
  await chooseDark(context);
  const release = await holdApp(page);
  await page.goto("/studentdash", { waitUntil: "commit" });
  await untilFrameIsDecided(page);
  await expect(page.locator("[data-loading-page]")).toBeVisible();
  await expect(frameOn(page)).toHaveCount(0);
  await release();
  await expect(page).toHaveURL(/\/auth$/);
});

test("the frame has the theme that the member chose", async ({ page, context }) => {
  await seedSession(context, await createAccount("onboarded"));
  await chooseDark(context);
  const release = await holdApp(page);
  await page.goto("/studentdash", { waitUntil: "commit" });
  await expect(frameOn(page)).toBeVisible();
  await untilFrameIsDecided(page);
  await release();
});

test("a page outside the frame begins without it, for members too", async ({ page, context }) => {
  await seedSession(context, await createAccount("onboarded"));
  await chooseDark(context);
  const release = await holdApp(page);
  await page.goto("/gifts", { waitUntil: "commit" });
  await untilFrameIsDecided(page);
  await expect(page.locator("[data-loading-page]")).toBeVisible();
  await expect(frameOn(page)).toHaveCount(0);
  await release();
});
