import type { Locator } from "@playwright/test";
import { runAsOwner } from "./support/accounts.ts";
import { createMember } from "./support/chat.ts";
import { addCourse, makeShelf, setAccountLevel } from "./support/library.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

/** Names and titles are text, whatever they hold. */
const payload = "<img src=x onerror=document.title='ran'>";

test("a finished course is told, certified, verified by a visitor, shared and taken back", async ({
  page,
  openAs,
  browser,
  baseURL,
}) => {
  const ada = await createMember("Ada");
  await setAccountLevel(ada, 2);
  const rename = "update public.profiles set first_name = 'Ada', last_name = $2 where id = $1";
  await runAsOwner(rename, [ada.id, payload]);
  const shelf = await makeShelf("general");
  const title = `Pricing ${payload}`;
  const course = await addCourse(shelf, title, [{ title: "Only lesson" }]);
  await addCourse(shelf, "Write to people, and answer what they ask you in return", [
    { title: "Only lesson" },
  ]);
  await openAs(ada, `/knowledge/courses/${shelf.slug}/${course}`);
  await page.getByRole("button", { name: "Enroll in This Course" }).click();
  // By key: the questions below load just then, and a mouse that is pressed while the page moves presses nothing.
  await page.getByRole("button", { name: "Mark as Complete" }).press("Enter");
  await expect(page.getByText("100% complete").first()).toBeVisible();
  // One of the ways on is the first; its two lines on a phone have air around them.
  const desk = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const onward = page.getByRole("link", { name: /^Next course/ });
  const ground = async (link: Locator) =>
    await link.evaluate((element) => getComputedStyle(element).backgroundColor);
  const toCertificate = page.getByRole("link", { name: "See your certificate" });
  expect(await ground(toCertificate)).not.toBe(await ground(onward));
  await expect(onward).toHaveCSS("padding-top", "8px");
  if (desk) await page.setViewportSize(desk);

  const bell = page.getByRole("button", { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName(/[1-9] unread/);
  await bell.click();
  const line = page.getByRole("dialog", { name: "Notifications" }).getByRole("link");
  await line.filter({ hasText: "Your certificate is ready" }).click();
  await expect(page).toHaveURL(/\/certificates\/[0-9a-f-]{36}$/);
  const certificate = page.getByRole("article", { name: `Certificate for ${title}` });
  await expect(certificate.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(certificate).toContainText(`Ada ${payload}`);
  await expectAccessible(page);
  // A phone shows all of it, upright and large enough to be read.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const box = await certificate.boundingBox();
      const isWithin = box !== null && box.x >= 0 && box.x + box.width <= 390 && box.width > 300;
      return isWithin && box.height > box.width;
    })
    .toBe(true);
  const sizes = await certificate
    .locator("p, dt, dd")
    .evaluateAll((lines) => lines.map((line) => parseFloat(getComputedStyle(line).fontSize)));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  await expectAccessible(page);
  if (desk) await page.setViewportSize(desk);
  const address = await page
    .getByRole("link", { name: "open the public page" })
    .getAttribute("href");

  // A visitor without an account.
  const visit = await browser.newContext({ baseURL: baseURL ?? "" });
  const visitor = await visit.newPage();
  await visitor.goto(address ?? "");
  await expect(visitor.getByRole("heading", { name: "This certificate is valid" })).toBeVisible();
  await expect(visitor.getByRole("definition")).toHaveText([`Ada ${payload}`, title, /\d{4}$/]);
  await expectAccessible(visitor);
  // What programs read that make a preview of the link.
  const preview = async (path: string) => await (await visit.request.get(path)).text();
  const published = await preview(address ?? "");
  expect(published).toContain('<meta property="og:title" content="Certificate: Pricing ');
  expect(published).toContain('<meta property="og:description" content="Ada ');
  expect(published).not.toContain(payload);
  expect(await preview("/verify/00000000000000000000")).not.toContain("Ada ");
  await visitor.goto("/verify/00000000000000000000");
  await expect(visitor.getByText("No certificate has this code")).toBeVisible();
  // Another member, by the address of the certificate itself.
  const id = new URL(page.url()).pathname;

  await page.goto("/achievements");
  const earned = page.getByRole("region", { name: "Achieved" });
  await expect(earned.getByRole("heading", { name: "First course" })).toBeVisible();
  await page.getByRole("button", { name: "Share First course" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Share this" });
  await dialog.getByRole("button", { name: "Make it public" }).press("Enter");
  await expect(dialog.getByRole("img", { name: /First course/ })).toBeVisible();
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download the picture" }).click();
  expect((await download).suggestedFilename()).toBe("fourfold-card.png");
  const link = (await dialog.getByText(/\/shared\//).textContent()) ?? "";
  expect(await preview(link)).toContain(
    '<meta property="og:title" content="First course · Fourfold" />',
  );
  await visitor.goto(link);
  await expect(visitor.getByRole("main")).toHaveText(
    new RegExp(`^Fourfold\\s*First course\\s*Finished a first course\\.\\s*Ada .*\\d{4}$`),
  );
  await expect(visitor.getByRole("link")).toHaveCount(0);
  await expectAccessible(visitor);
  await dialog.getByRole("button", { name: "Stop sharing" }).click();
  await expect(dialog).toHaveCount(0);
  await visitor.reload();
  await expect(visitor.getByText("There is nothing here")).toBeVisible();
  await visitor.goto(id);
  await expect(visitor).toHaveURL("/auth");

  for (const window of [page, visitor]) {
    await expect(window.locator("img[src=x]")).toHaveCount(0);
    await expect(window).not.toHaveTitle("ran");
  }
  await visit.close();
});
