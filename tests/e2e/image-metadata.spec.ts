import type { Page } from "@playwright/test";
import sharp from "sharp";
import { createAccount } from "./support/accounts.ts";
import { expect, test } from "./support/test.ts";

/** A small photo, held upright, as a phone writes it: with the place, the camera and the way it was held. */
async function photo(): Promise<Buffer> {
  return await sharp({ create: { width: 64, height: 32, channels: 3, background: "#2a6f97" } })
    .jpeg()
    .withExif({
      IFD0: { Make: "Kamera Werke", Model: "K-1" },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1", GPSLongitudeRef: "W" },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
}

/** The file inside the body of an upload. */
function pictureIn(body: Buffer): Buffer {
  const mark = Buffer.from([0xff, 0xd8, 0xff]);
  const start = body.indexOf(mark);
  expect(start).toBeGreaterThan(-1);
  return body.subarray(start);
}

/** Watches what pages put into storage. */
async function watchUploads(page: Page): Promise<Buffer[]> {
  const sent: Buffer[] = [];
  await page.route("**/storage/v1/object/**", async (route) => {
    const body = route.request().postDataBuffer();
    if (route.request().method() === "POST" && body !== null) sent.push(body);
    await route.continue();
  });
  return sent;
}

async function expectBare(sent: Buffer[]): Promise<void> {
  expect(sent).toHaveLength(1);
  for (const body of sent) {
    expect(body.includes("Kamera")).toBe(false);
    expect(body.includes("Exif")).toBe(false);
    const { width, height, orientation, exif } = await sharp(pictureIn(body)).metadata();
    expect([width, height, orientation ?? 1, exif]).toEqual([32, 64, 1, undefined]);
  }
}

test.describe("a small photo leaves the device without place and camera, and upright", () => {
  test("with a submission", async ({ page, openAs }) => {
    const buffer = await photo();
    expect((await sharp(buffer).metadata()).exif?.includes("Kamera Werke")).toBe(true);
    const sent = await watchUploads(page);
    await openAs(await createAccount("onboarded"), "/learning/create");
    await page.getByRole("radio", { name: /Failure/ }).check({ force: true });
    await page.getByLabel("Title", { exact: true }).fill("What the camera knew");
    await page.getByLabel("Content").fill("More than I wanted to share.");
    const file = { name: "small.jpg", mimeType: "image/jpeg", buffer };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole("button", { name: "Submit" }).click();
    await expect(page).toHaveURL(/\/learning\/submissions/);
    await expectBare(sent);
  });

  test("with an identity document", async ({ page, openAs }) => {
    const sent = await watchUploads(page);
    await openAs(await createAccount("paid"), "/verification");
    const file = { name: "passport.jpg", mimeType: "image/jpeg", buffer: await photo() };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole("button", { name: "Submit for Verification" }).click();
    await expect(page.getByText(/^Document uploaded successfully!/)).toBeVisible();
    await expectBare(sent);
  });
});
