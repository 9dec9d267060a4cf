import type { Page } from "@playwright/test";
import { codesOf } from "../../support/second-factor.ts";
import { expect, expectAccessible } from "./test.ts";

/** Sets up an authenticator app where its form is shown. @returns what makes its codes. */
export async function setUpDevice(page: Page, name: string): Promise<() => string> {
  await page.getByLabel("Name of the device").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  const image = page.getByRole("img", { name: "QR code for your authenticator app" });
  await expect(image).toBeVisible();
  // The picture was really drawn, under the page's content policy.
  await expect
    .poll(async () => image.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .not.toBe(0);
  await expectAccessible(page);
  const key = await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  const nextCode = codesOf(key.replaceAll(/\s/g, ""));
  await page.getByLabel("2. Enter the code it shows").fill(nextCode());
  return nextCode;
}

/** Says that the recovery codes are saved, which are shown after it. */
export async function saveRecoveryCodes(page: Page): Promise<void> {
  await page.getByLabel("I have saved them").check();
  await page.getByRole("button", { name: "Done" }).click();
}
