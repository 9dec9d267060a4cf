import { createAccount, createAdmin, runAsOwner } from "./support/accounts.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

test("an owner publishes other words for the front page, without code", async ({
  page,
  openAs,
}) => {
  const front = async () => await (await page.request.get("/")).text();
  await openAs(await createAdmin(), "/admindash/settings?part=landing");
  await expect(page.getByRole("region", { name: "Preview" })).toContainText("Earn ten times more");
  await expectAccessible(page);
  for (const headline of ["Earn more, together", ""]) {
    await page.getByLabel("Headline", { exact: true }).fill(headline);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Publish" }).click();
    // Nothing is left to publish.
    await expect(page.getByRole("button", { name: "Publish" })).toBeDisabled();
    const shown = headline === "" ? "Earn ten times more" : headline;
    await expect.poll(front, { timeout: 20_000 }).toContain(`>${shown}`);
  }
});

test("a featured submission is on the front page for as long as its author agrees", async ({
  page,
  browser,
}) => {
  const title = "Nine stools, each with a deposit";
  const author = await createAccount("onboarded");
  const [stored] = await runAsOwner(
    `insert into public.learning_submissions (user_id, submission_type, title, content, is_featured)
     values ($1, 'success', $2, 'All from people who saw one.', true) returning id`,
    [author.id, title],
  );
  const id = String(stored?.["id"]);
  const front = async () => await (await page.request.get("/")).text();
  expect(await front()).not.toContain(title);
  const mine = await openWindow(browser, author, `/learning/submissions?submission=${id}`);
  const open = async () => {
    await mine.getByRole("button", { name: `More about “${title}”` }).click();
    await mine.getByRole("menuitem", { name: "Show to visitors" }).click();
  };
  await open();
  await expectAccessible(mine);
  await mine.getByRole("button", { name: "Let visitors read it" }).click();
  await expect.poll(front, { timeout: 20_000 }).toContain(title);
  await open();
  await mine.getByRole("button", { name: "Take it back" }).click();
  await expect.poll(front, { timeout: 20_000 }).not.toContain(title);
});
