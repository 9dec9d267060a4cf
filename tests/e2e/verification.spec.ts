import { writeFile } from "node:fs/promises";
import { createAccount, createAdmin } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";
import {
  sendAndRejectDocuments,
  decideVerification,
  sendDocument,
} from "./support/verifications.ts";
import { chooseDocument } from "./support/member-journey.ts";

const formPath = { name: "Upload a document" };

test.describe("what a member reads", () => {
  test("before anything was sent, and after", async ({ page, openAs }) => {
    await openAs(await createAccount("paid"), "/verification");
    const status = page.locator("[role=status][data-status]");
    await expect(status).toContainText("Please upload a valid identity document for verification.");
    for (const rule of [/fully visible/, /text readable/i, /not expired/, /photo/, /photocopies/]) {
      await expect(page.getByRole("listitem").filter({ hasText: rule }).first()).toBeVisible();
    }
    const submit = page.getByRole("button", { name: "Submit for Verification" });
    await expect(submit).toBeDisabled();
    await page.getByLabel("Document type").selectOption("drivers_license");
    await chooseDocument(page);
    await expect(page.getByText("passport.png")).toBeVisible();
    await submit.click();
    await expect(
      page.getByText("Document uploaded successfully! Verification typically takes 24-48 hours."),
    ).toBeVisible();
    await expect(status).toContainText(
      "Your document is being reviewed. This typically takes 24-48 hours.",
    );
    await expect(page.getByRole("form", formPath)).toHaveCount(0);
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    await expect(page).toHaveURL(/\/onboarding/);
  });

  test("once it was approved", async ({ page, openAs }) => {
    const account = await createAccount("paid");
    await decideVerification(await createAdmin(), await sendDocument(account));
    await openAs(account, "/verification");
    await expect(page.getByText("Your identity has been verified successfully!")).toBeVisible();
    await expect(page.getByRole("form", formPath)).toHaveCount(0);
  });

  test("once it was rejected: why, and the form again", async ({ page, openAs }) => {
    const account = await createAccount("paid");
    await sendAndRejectDocuments(account, await createAdmin(), 1);
    await openAs(account, "/verification");
    await expect(
      page.getByText("Your document was rejected. Please upload a new document."),
    ).toBeVisible();
    await expect(page.getByText("Attempt 1 is too dark to read.")).toBeVisible();
    await expect(page.getByText(/verification attempts used/)).toHaveCount(0);
    await chooseDocument(page);
    await page.getByRole("button", { name: "Submit for Verification" }).click();
    await expect(page.getByText(/^Document uploaded successfully!/)).toBeVisible();
  });

  test("when attempts run out: a warning at three and four, the end at five", async ({
    page,
    openAs,
  }) => {
    const [account, admin] = [await createAccount("paid"), await createAdmin()];
    await sendAndRejectDocuments(account, admin, 3);
    await openAs(account, "/verification");
    const warning = (used: number) =>
      page.getByText(
        `Warning: ${used}/5 verification attempts used. Account will be removed after 5 consecutive failures.`,
      );
    await expect(warning(3)).toBeVisible();
    await expect(page.getByRole("form", formPath)).toBeVisible();
    await sendAndRejectDocuments(account, admin, 1);
    await page.reload();
    await expect(warning(4)).toBeVisible();
    await expect(page.getByRole("form", formPath)).toBeVisible();
    await sendAndRejectDocuments(account, admin, 1);
    await page.reload();
    await expect(
      page.getByText(
        "Maximum verification attempts exceeded. Please contact support for assistance.",
      ),
    ).toBeVisible();
    await expect(page.getByRole("form", formPath)).toHaveCount(0);
    await expect(page.getByText(/verification attempts used/)).toHaveCount(0);
  });
});

test.describe("what is not taken", () => {
  test("a wrong type, a file above 10 MB, and no file at all", async ({ page, openAs }) => {
    await openAs(await createAccount("paid"), "/verification");
    const file = page.locator('input[type="file"]');
    const submit = page.getByRole("button", { name: "Submit for Verification" });
    // Without a file the button is off, but a form can also be sent from the keyboard.
    await page
      .getByRole("form", formPath)
      .evaluate((form: HTMLFormElement) => form.requestSubmit());
    await expect(page.getByText("Please select a file to upload.")).toBeVisible();
    await file.setInputFiles({
      name: "passport.gif",
      mimeType: "image/gif",
      buffer: Buffer.from("GIF89a"),
    });
    await expect(page.getByText("Please upload a JPG, PNG, or PDF file.")).toBeVisible();
    await expect(submit).toBeDisabled();
    const tooLarge = test.info().outputPath("passport.pdf");
    await writeFile(tooLarge, Buffer.alloc(11 * 1024 * 1024));
    await file.setInputFiles(tooLarge);
    await expect(page.getByText("File size must be less than 10MB.")).toBeVisible();
    await expect(submit).toBeDisabled();
    await chooseDocument(page);
    await expect(page.getByText("File size must be less than 10MB.")).toHaveCount(0);
    await expect(submit).toBeEnabled();
  });

  test("a document that does not arrive can be sent again", async ({ page, openAs }) => {
    let failing = true;
    await page.route("**/storage/v1/object/verification-documents/**", async (route) => {
      await (failing ? route.abort() : route.continue());
    });
    await openAs(await createAccount("paid"), "/verification");
    await chooseDocument(page);
    const submit = page.getByRole("button", { name: "Submit for Verification" });
    await submit.click();
    await expect(page.getByText("Failed to upload document. Please try again.")).toBeVisible();
    failing = false;
    await submit.click();
    await expect(page.getByText(/^Document uploaded successfully!/)).toBeVisible();
  });
});
