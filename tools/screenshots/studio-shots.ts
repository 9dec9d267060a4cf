import type { Page } from "@playwright/test";
import type { Shot } from "./shots.ts";

/** Chooses two files to import, of which one has a mistake. */
async function bringFiles(page: Page): Promise<void> {
  const head =
    "---\ntitle: A Plan for Monday\nexcerpt: One.\ntags: [plans, weeks]\norder: 1\n---\n\n";
  const file = (name: string, text: string) => ({
    name,
    mimeType: "text/markdown",
    buffer: Buffer.from(head + text),
  });
  await page
    .getByLabel("Files to import")
    .setInputFiles([file("monday.md", "First."), file("tuesday.md", "Some <b>bold</b> words.")]);
  await page.getByText("Raw HTML is not allowed").first().waitFor();
}

/** Screens of the studio, as a mentor. */
export const studioShots: Shot[] = [
  { name: "studio", path: "/studio" },
  { name: "studio-import", path: "/studio/import", prepare: bringFiles },
];
