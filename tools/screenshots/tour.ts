import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";

/** The screens of `docs/tour.md` in its order, by the name of their shot, and the pictures of the README. */
export const tourShots: readonly string[] = [
  "landing",
  "paywall",
  "onboarding-6",
  "studentdash",
  "chat-room",
  "submissions",
  "library-reader",
  "library-player",
  "members",
  "studio-editor",
  "studio-analytics",
  "admindash",
  "console-money",
];

/** CSS pixels of the window, and how wide the picture of it is. */
export const tourWindow = { width: 1440, height: 900 } as const;
const pictureWidth = 1100;

/** Puts what a window shows into a small picture. */
export async function takeTourPicture(page: Page, folder: string, name: string): Promise<void> {
  const shown = await page.screenshot({ animations: "disabled" });
  await sharp(shown)
    .resize({ width: pictureWidth })
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(folder, `${name}.png`));
}
