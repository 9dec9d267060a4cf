import { writeFile } from "node:fs/promises";
import {
  seedSession,
  createAccount,
  saveOnboardingStep,
  type Account,
} from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";
import {
  advance,
  answerGoalQuestions,
  answerProfileQuestions,
  chooseDocument,
  expectStep,
} from "./support/member-journey.ts";

async function savedStep({ client }: Account): Promise<number | undefined> {
  const { data } = await client
    .from("onboarding_progress")
    .select("current_step")
    .maybeSingle<{ current_step: number }>();
  return data?.current_step;
}

test("leaving at step 6 and returning loses nothing", async ({ page, openAs, browser }) => {
  const account = await createAccount("paid");
  await openAs(account, "/onboarding");
  for (let step = 1; step <= 5; step += 1) {
    await expectStep(page, step);
    await advance(page);
  }
  await expectStep(page, 6);
  await page.getByRole("textbox").first().fill("Half of a sentence");
  // The step is saved behind the page's back.
  await expect.poll(async () => await savedStep(account)).toBe(6);
  await page.reload();
  await expectStep(page, 6);
  await expect(page.getByRole("textbox").first()).toHaveValue("Half of a sentence");

  await answerGoalQuestions(page);
  await advance(page);
  await expectStep(page, 7);
  await page.getByRole("button", { name: "Back" }).click();
  await expectStep(page, 6);
  await expect(page.getByRole("textbox").first()).toHaveValue("Something honest.");

  // Another browser knows what was saved.
  await expect.poll(async () => await savedStep(account)).toBe(7);
  const elsewhere = await browser.newContext();
  await seedSession(elsewhere, account);
  const other = await elsewhere.newPage();
  await other.goto(new URL("/onboarding", page.url()).href);
  await expectStep(other, 7);
  await elsewhere.close();
});

test("empty answers are named one by one", async ({ page, openAs }) => {
  const account = await createAccount("paid");
  await saveOnboardingStep(account, 6);
  await openAs(account, "/onboarding");
  await expectStep(page, 6);
  await advance(page);
  await expect(page.getByText(/^Please complete all required fields: .+, .+/)).toBeVisible();
});

test("a step that does not exist says so", async ({ page, openAs }) => {
  await openAs(await createAccount("paid"), "/onboarding?step=12");
  await expect(page.getByText("Step not found")).toBeVisible();
});

test.describe("the identity document", () => {
  test("must be a picture or a PDF below 10 MB", async ({ page, openAs }) => {
    const account = await createAccount("paid");
    await saveOnboardingStep(account, 8);
    await openAs(account, "/onboarding");
    await expectStep(page, 8);
    await expect(page.getByRole("button", { name: "Continue" })).toBeDisabled();
    const file = page.locator('input[type="file"]');
    await file.setInputFiles({
      name: "passport.gif",
      mimeType: "image/gif",
      buffer: Buffer.from("GIF89a"),
    });
    await expect(page.getByText("Please upload a JPG, PNG, or PDF file.")).toBeVisible();
    const tooLarge = test.info().outputPath("passport.jpg");
    await writeFile(tooLarge, Buffer.alloc(11 * 1024 * 1024));
    await file.setInputFiles(tooLarge);
    await expect(page.getByText("File size must be less than 10MB.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Continue" })).toBeDisabled();
  });

  test("that does not arrive can be sent again", async ({ page, openAs }) => {
    const account = await createAccount("paid");
    await saveOnboardingStep(account, 8);
    await openAs(account, "/onboarding");
    let failing = true;
    await page.route("**/storage/v1/object/verification-documents/**", async (route) => {
      await (failing ? route.abort() : route.continue());
    });
    await chooseDocument(page);
    await advance(page);
    await expect(
      page.getByText("Failed to upload verification document. Please try again."),
    ).toBeVisible();
    failing = false;
    await advance(page);
    await expectStep(page, 9);
  });
});

test("the terms must be ticked", async ({ page, openAs }) => {
  const account = await createAccount("paid");
  await saveOnboardingStep(account, 6);
  await openAs(account, "/onboarding");
  await expectStep(page, 6);
  await answerGoalQuestions(page);
  await advance(page);
  await answerProfileQuestions(page);
  await advance(page);
  await chooseDocument(page);
  await advance(page);
  await expectStep(page, 9);
  const finish = page.getByRole("button", { name: /finish|complete/i });
  await finish.click();
  await expect(
    page.getByText("Please agree to the terms and conditions to continue."),
  ).toBeVisible();

  await page.route("**/rest/v1/profiles*", async (route) => {
    await (route.request().method() === "GET" ? route.continue() : route.abort());
  });
  await page.getByRole("checkbox").check();
  await finish.click();
  await expect(page.getByText("Failed to complete onboarding. Please try again.")).toBeVisible();
  await page.unroute("**/rest/v1/profiles*");
  await finish.click();
  await expect(page).toHaveURL(/\/studentdash$/);
});
