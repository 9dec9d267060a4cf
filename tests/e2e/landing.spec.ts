import { fillSignUp } from "./support/member-journey.ts";
import { expect, test } from "./support/test.ts";

const countdownTarget = "landing-countdown-target";
const fixedNow = new Date("2026-11-21T09:00:00.000Z");

test("every call to action leads to the choice of signing up or in", async ({ page }) => {
  await page.goto("/");
  const main = page.getByRole("main");
  const ways = await main
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(ways.filter((way) => way === "/auth").length).toBeGreaterThan(2);
  const others = ways.filter((way) => way !== "/auth" && way?.startsWith("#") !== true);
  // The free lesson and the terms of the guarantee are to be read, not acted on; a plan leads straight to the account.
  const acted = others.filter((way) => way?.startsWith("/c/") !== true);
  expect(acted).toEqual(["/signup?plan=student", "/signup?plan=mentor", "/guarantee"]);
  await main.getByRole("link", { name: "Claim your place" }).first().click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole("button", { name: "SIGN UP" })).toBeVisible();
});

test("the chosen plan and its price survive the way to the checkout", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("Join now and you pay £100 a month")).toBeVisible();
  await page.getByRole("link", { name: "Start with Mentor Access" }).click();
  await expect(page).toHaveURL(/\/signup\?plan=mentor$/);
  await fillSignUp(page);
  await expect(page).toHaveURL(/\/paywall\?plan=mentor$/);
  await expect(page.getByRole("radio", { name: /^Mentor Access/ })).toBeChecked();
  await expect(page.getByText("Mentor Access, due today")).toBeVisible();
  await expect(page.getByText("£100", { exact: true }).last()).toBeVisible();
});

test.describe("the countdown", () => {
  test.beforeEach(async ({ page }) => await page.clock.install({ time: fixedNow }));

  test("starts at 24 hours, saves its target and runs by the second", async ({ page }) => {
    await page.goto("/");
    await page.clock.pauseAt(new Date(fixedNow.getTime() + 50_000));
    const saved = await page.evaluate((key) => localStorage.getItem(key) ?? "", countdownTarget);
    expect(saved).toBe(new Date(saved).toISOString());
    const ahead = Date.parse(saved) - fixedNow.getTime() - 24 * 3_600_000;
    expect(ahead).toBeGreaterThanOrEqual(0);
    expect(ahead).toBeLessThan(50_000);
    await expect(page.getByRole("timer")).toHaveText(/^23:59:\d\d$/);
    const before = await page.getByRole("timer").textContent();
    await page.clock.runFor(60_000);
    await expect(page.getByRole("timer")).toHaveText(/^23:58:\d\d$/);
    expect(await page.getByRole("timer").textContent()).toBe(before?.replace(":59:", ":58:"));
  });

  test("goes on where it was when the target is still ahead", async ({ page }) => {
    await page.goto("/");
    const target = new Date(fixedNow.getTime() + 90 * 60_000).toISOString();
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      countdownTarget,
      target,
    ] as const);
    await page.reload();
    await page.clock.pauseAt(new Date(fixedNow.getTime() + 30 * 60_000));
    await expect(page.getByRole("timer")).toHaveText("01:00:00");
    expect(await page.evaluate((key) => localStorage.getItem(key), countdownTarget)).toBe(target);
  });

  test("is set anew when the target has passed", async ({ page }) => {
    await page.goto("/");
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      countdownTarget,
      "2026-11-21T08:59:59.000Z",
    ] as const);
    await page.reload();
    await expect(page.getByRole("timer")).toHaveText(/^(24:00:00|23:59:\d\d)$/);
    const saved = await page.evaluate((key) => localStorage.getItem(key) ?? "", countdownTarget);
    expect(Date.parse(saved)).toBeGreaterThan(fixedNow.getTime() + 23 * 3_600_000);
  });

  test("ends at zero and forgets its target", async ({ page }) => {
    await page.goto("/");
    await page.clock.pauseAt(new Date(fixedNow.getTime() + 23 * 3_600_000));
    await expect(page.getByRole("timer")).toHaveText(/^01:00:\d\d$/);
    expect(await page.evaluate((key) => localStorage.getItem(key), countdownTarget)).not.toBeNull();
    await page.clock.runFor("01:01:00");
    await expect(page.getByRole("timer")).toHaveText("00:00:00");
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.clock.runFor(5000);
    await expect(page.getByRole("timer")).toHaveText("00:00:00");
  });
});

test("the footer leads in and to the small print", async ({ page }) => {
  await page.goto("/");
  const footer = page.getByRole("contentinfo");
  const anchors = [
    ["Work for the network", "careers"],
    ["Contact Us", "contact"],
    ["Privacy", "privacy"],
    ["Terms", "terms"],
    ["Security", "security"],
  ] as const;
  for (const [name, id] of anchors) {
    await footer.getByRole("link", { name, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/#${id}$`));
    await expect(page.locator(`#${id}`)).toBeInViewport();
    await expect(page.locator(`#${id}`).getByRole("heading", { name, exact: true })).toBeVisible();
  }
  await expect(footer.getByRole("link", { name: "ADMIN LOGIN" })).toHaveAttribute(
    "href",
    "/adminlogin",
  );
  await footer.getByRole("link", { name: "SIGN UP / SIGN IN" }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goto("/");
  await footer.getByRole("link", { name: "ADMIN LOGIN" }).click();
  await expect(page).toHaveURL(/\/adminlogin$/);
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
});

test("another colour scheme is there at once for those who want little motion", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "light" });
  await page.goto("/");
  const moved = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let transitions = 0;
        document.addEventListener("transitionrun", () => (transitions += 1));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(transitions))),
        );
        document.documentElement.dataset["listening"] = "yes";
      }),
  );
  await expect(page.locator("html[data-listening]")).toBeAttached();
  await page.emulateMedia({ reducedMotion: "reduce", colorScheme: "dark" });
  expect(await moved).toBe(0);
});

test("little script is shipped, and none of the app's", async ({ page }) => {
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response.url());
  });
  await page.goto("/");
  await page.waitForLoadState("load");
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry): entry is PerformanceResourceTiming => /\.m?js(\?|$)/.test(entry.name))
      .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
  );
  expect(sizes.map(({ name }) => name).sort()).toEqual([...scripts].sort());
  expect(sizes.length).toBeGreaterThan(0);
  const total = sizes.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(30 * 1024);
  for (const { name } of sizes) {
    const code = await (await page.request.get(name)).text();
    expect(code).not.toMatch(/supabase|GoTrue|react-dom/i);
  }
});

test("the whole page, with all it loads, weighs at most 90 KiB", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("contentinfo").scrollIntoViewIfNeeded();
  await page.waitForLoadState("networkidle");
  const bytes = await page.evaluate(() =>
    [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => !name.startsWith("data:"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
  expect(bytes).toBeGreaterThan(10 * 1024);
  expect(bytes).toBeLessThan(90 * 1024);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("price and button stand at the lower edge below the first screen, up to the footer", async ({
    page,
  }) => {
    await page.goto("/");
    const first = page.getByRole("main").getByRole("link", { name: "Claim your place" }).first();
    const bar = page.getByRole("main").getByRole("link", { name: "Claim your place" }).last();
    await expect(first).toBeInViewport();
    await expect(bar).not.toBeInViewport();
    await page.getByRole("link", { name: "Guarantee", exact: true }).click();
    await expect(page).toHaveURL(/#guarantee$/);
    await expect(bar).toBeInViewport();
    await expect(bar).toHaveAttribute("href", "/auth");
    await page.getByRole("link", { name: "ADMIN LOGIN" }).scrollIntoViewIfNeeded();
    await expect(bar).not.toBeInViewport();
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBe(0);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the whole page can be read and left for the way in", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    for (const section of await page.getByRole("heading", { level: 2 }).all()) {
      await expect(section).toBeVisible();
    }
    const text = await page.getByRole("main").innerText();
    for (const words of [
      "10x your income within 6 months",
      "100 new members a month, 12 spots remaining",
      "1,247",
      "10,247+",
      "£55",
      "£117",
      "£111",
      "£227",
      "Daily chats community",
      "Affiliate money system",
      "Cross-audience selling",
      "Student affiliate system",
    ]) {
      expect(text).toContain(words);
    }
    expect(text.length).toBeGreaterThan(4000);
    await expect(page.getByRole("timer")).toHaveText("24:00:00");
    const way = page.getByRole("main").getByRole("link", { name: "Claim your place" }).first();
    await expect(way).toHaveAttribute("href", "/auth");
  });
});
