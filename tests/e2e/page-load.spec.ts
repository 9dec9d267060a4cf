import type { Page } from "@playwright/test";
import { createMember } from "./support/chat.ts";
import { expect, test } from "./support/test.ts";

/** Adds up how far what is seen jumps while the page comes, as browsers count it (Cumulative Layout Shift, without unit). */
async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({
      type: "layout-shift",
      buffered: true,
    });
  });
}

interface Shift {
  readonly value: number;
  readonly sources: readonly { readonly node: Node | null }[];
}

const shiftsOf = async (page: Page) =>
  await page.evaluate(() => {
    const { shifts } = window as unknown as { shifts: Shift[] };
    return {
      sum: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.map(({ value, sources }) => [value, sources[0]?.node?.textContent]),
    };
  });

test("nothing jumps while members' pages come over a phone's line", async ({ page, openAs }) => {
  const ada = await createMember("Ada");
  await page.setViewportSize({ width: 390, height: 844 });
  await countShifts(page);
  const line = await page.context().newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 150,
    downloadThroughput: 1_000_000,
    uploadThroughput: 200_000,
  });
  // Not the feed: what others post meanwhile comes in above, and other tests post.
  for (const path of ["/studentdash", "/chats", "/learning/pacts", "/progress", "/subscriptions"]) {
    await openAs(ada, path);
    await page.waitForLoadState("networkidle");
    const { sum, moved } = await shiftsOf(page);
    expect(sum, `${path}: ${JSON.stringify(moved)}`).toBeLessThanOrEqual(0.02);
  }
});

test("the members' frame is asked for together with the app", async ({ page, openAs }) => {
  const ada = await createMember("Ada");
  const document = await (await page.request.get("/chats")).text();
  const asked = new Set(document.match(/\/assets\/[\w-]+\.js/g));
  const later: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith(".js") && !asked.has(pathname)) later.push(pathname);
  });
  await openAs(ada, "/studentdash");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Ada");
  // Home's own, and what it takes of other features.
  expect(later).toHaveLength(2);
});
