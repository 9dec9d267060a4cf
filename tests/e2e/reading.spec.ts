import type { Page } from "@playwright/test";
import { createAccount } from "./support/accounts.ts";
import { hostileMarkdown } from "./support/hostile-markdown.ts";
import { addArticle, addCourse, makeShelf, setAccountLevel } from "./support/library.ts";
import { scriptPayloads } from "./support/script-payloads.ts";
import { running } from "./support/running-product.ts";
import { expect, test } from "./support/test.ts";

async function makeReader() {
  const account = await createAccount("onboarded");
  await setAccountLevel(account, 2);
  const shelf = await makeShelf("general");
  return { account, shelf, path: `/knowledge/foundations/${shelf.slug}` };
}

/** Requests of the page to anywhere but the product. */
function foreignRequests(page: Page): string[] {
  const foreign: string[] = [];
  const { origin } = new URL(running().host.url);
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|about):/.test(url)) foreign.push(url);
  });
  return foreign;
}

test("the reading position is kept over a reload, and offered on return", async ({
  page,
  openAs,
}) => {
  const { account, shelf, path } = await makeReader();
  const id = await addArticle(shelf, "A long text");
  await openAs(account, `${path}/${id}`);
  await expect(page.getByText("Paragraph 40.")).toBeAttached();
  await expect(page.locator("[data-reading-progress]")).toHaveAttribute("style", /--read: 0\.0/);
  await page.getByText("Paragraph 20.").evaluate((element) => element.scrollIntoView());
  await expect(page.locator("[data-reading-progress]")).toHaveAttribute(
    "style",
    /--read: 0\.[3-7]/,
  );
  await expect
    .poll(() =>
      page.evaluate(() => (history.state as { readingPosition?: number }).readingPosition),
    )
    .toBeGreaterThan(0.3);
  await page.reload();
  await expect(page.getByText("Paragraph 20.")).toBeInViewport();
  await expect(page.getByText("Paragraph 1.", { exact: false }).first()).not.toBeInViewport();

  await page.getByText("Paragraph 25.").evaluate((element) => element.scrollIntoView());
  await expect(page.locator("[data-reading-progress]")).toHaveAttribute(
    "style",
    /--read: 0\.[4-8]/,
  );
  await page.getByRole("link", { name: shelf.name }).click();
  await page.getByRole("article", { name: "A long text" }).getByRole("link").click();
  await page.getByRole("button", { name: /^Continue where you left off/ }).click();
  await expect(page.getByText("Paragraph 25.")).toBeInViewport();
});

test("a list of articles is read by keyboard", async ({ page, openAs }) => {
  const { account, shelf, path } = await makeReader();
  const first = await addArticle(shelf, "One");
  await addArticle(shelf, "Two");
  await openAs(account, `${path}/${first}`);
  const heading = (name: string) => page.getByRole("heading", { level: 1, name });
  const forward = page
    .getByRole("link", { name: "Next: Two" })
    .or(page.getByRole("link", { name: "Previous: Two" }));
  await expect(forward).toBeVisible();
  const isFirst = (await forward.getAttribute("rel")) === "next";
  await page.keyboard.press(isFirst ? "j" : "k");
  await expect(heading("Two")).toBeVisible();
  await expect(page.getByRole("link", { name: /^(Next|Previous): One$/ })).toBeVisible();
  const back = isFirst ? "ArrowLeft" : "ArrowRight";
  // With Shift it selects, and leads nowhere.
  await page.keyboard.press(`Shift+${back}`);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toBeHidden();
  await expect(heading("Two")).toBeVisible();
  await page.keyboard.press(back);
  await expect(heading("One")).toBeVisible();
});

test("printing shows the text and nothing else", async ({ page, openAs }) => {
  const { account, shelf, path } = await makeReader();
  const id = await addArticle(shelf, "To be printed");
  await openAs(account, `${path}/${id}`);
  await expect(page.getByText("Paragraph 1.").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { level: 1, name: "To be printed" })).toBeVisible();
  await expect(page.getByText("Paragraph 40.")).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
  for (const nav of await page.getByRole("navigation").all()) await expect(nav).toBeHidden();
  await expect(page.getByRole("button", { name: "Mark as Read" })).toHaveCount(0);
});

test("the search finds what the member may read, and opens it", async ({ page, openAs }) => {
  const { account, shelf } = await makeReader();
  const word = `quill${shelf.slug.slice(-8)}`;
  await addArticle(shelf, `On the ${word}`);
  const above = await makeShelf("wealth");
  await addArticle(above, `Too early for the ${word}`);
  await openAs(account, "/studentdash");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: "Search" });
  await expect(palette.getByRole("combobox")).toBeFocused();
  await page.keyboard.type(word);
  await expect(palette.getByText("2 results", { exact: true })).toBeVisible();
  // What a higher level opens is found by its title, and leads nowhere.
  await expect(
    palette
      .getByRole("group", { name: "Opens at a higher level" })
      .getByRole("option", { name: `Too early for the ${word} Level 4 · Wealth` }),
  ).toBeVisible();
  await expect(
    palette.getByRole("option", { name: `On the ${word}`, selected: true }),
  ).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: `On the ${word}` })).toBeVisible();
  await expect(palette).toBeHidden();
});

test("a video is loaded from its host only on request", async ({ page, openAs }) => {
  const { account, shelf } = await makeReader();
  const id = await addCourse(shelf, "With a film", [
    { title: "Seen", videoUrl: "https://www.youtube.com/watch?v=abcdefghijk" },
  ]);
  const foreign = foreignRequests(page);
  await page.route("https://www.youtube-nocookie.com/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<p>The film</p>" }),
  );
  await openAs(account, `/knowledge/courses/${shelf.slug}/${id}`);
  await page.getByRole("button", { name: "Enroll in This Course" }).click();
  const play = page.getByRole("button", { name: /^Play video/ });
  await expect(play).toBeVisible();
  expect(foreign).toEqual([]);
  await play.click();
  await expect(
    page.frameLocator('iframe[title="Video: Seen"]').getByText("The film"),
  ).toBeVisible();
  expect(foreign.every((url) => url.startsWith("https://www.youtube-nocookie.com/embed/"))).toBe(
    true,
  );
});

/** What an author's text must never become. */
const forbidden = [
  "script, style, link, meta, base, iframe, frame, object, embed, form, button, input, textarea, select",
  "img, picture, video, audio, svg a, math, template, details",
  "[style], [onerror], [onload], [onclick], [onfocus], [ontoggle], [onmouseover], [srcdoc], [name]",
].join(", ");

test("no hostile text runs, loads a frame or breaks the page", async ({ page, openAs }) => {
  const { account, shelf, path } = await makeReader();
  const hostile = [...hostileMarkdown, ...scriptPayloads];
  expect(hostile.length).toBeGreaterThan(600);
  page.on("dialog", (dialog) => {
    throw new Error(`a dialog opened: ${dialog.message()}`);
  });
  const foreign = foreignRequests(page);
  // Spread over twelve articles: a text that swallows what follows spoils its own only.
  const size = Math.ceil(hostile.length / 12);
  const ids: string[] = [];
  for (let start = 0; start < hostile.length; start += size) {
    const content = hostile.slice(start, start + size).join("\n\nBetween.\n\n");
    const end = "\n\n## The end\n\nStill here.";
    ids.push(
      await addArticle(shelf, "<script>window.ran=1</script>", {
        content: (content + end).replaceAll("\u0000", "\ufffd"),
      }),
    );
  }
  await openAs(account, path);
  for (const id of ids) {
    await page.goto(`${path}/${id}`);
    const text = page.locator(".reading");
    await expect(
      text.getByRole("heading", { name: /^The end/ }).or(text.getByText("Still here.")),
    ).not.toHaveCount(0);
    await expect(page.getByRole("button", { name: "Mark as Read" }).first()).toBeEnabled();
    expect(await page.evaluate(() => "ran" in window || "__ran" in window)).toBe(false);
    expect(await text.locator(forbidden).count()).toBe(0);
    const links = await text
      .locator("a[href]")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    for (const link of links) expect(link).toMatch(/^(#|\/(?![/\\])|https:\/\/)/);
    for (const link of links) expect(new URL(link, "https://own.example").username).toBe("");
    for (const id of await text.locator("[id]").evaluateAll((all) => all.map((each) => each.id))) {
      expect(id).toMatch(/^(s-|user-content-)/);
    }
  }
  expect(foreign).toEqual([]);
});
