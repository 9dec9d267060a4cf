import { readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createAccount } from "./support/accounts.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const partBytes = 6 * 1024 * 1024;

/** A film of two whole parts and a piece: one of the library, with an element behind it that players skip. */
async function writeLargeFilm(path: string): Promise<void> {
  const film = await readFile("web/public/films/what-it-is-worth-to-them.webm");
  const empty = Buffer.alloc(2 * partBytes + 100_000 - film.length);
  // An EBML Void element, whose length has eight bytes.
  empty.writeUInt8(0xec, 0);
  empty.writeBigUInt64BE(2n ** 56n + BigInt(empty.length - 9), 1);
  await writeFile(path, Buffer.concat([film, empty]));
}

async function openForm(page: Page, film: string): Promise<void> {
  await page.getByRole("button", { name: "Upload a film instead" }).click();
  await page.getByLabel("Film", { exact: true }).setInputFiles(film);
  await page
    .getByLabel("Captions", { exact: true })
    .setInputFiles("web/public/films/what-it-is-worth-to-them.vtt");
  await page.getByRole("button", { name: "Upload film" }).click();
}

async function openModule(page: Page): Promise<void> {
  await page.getByRole("button", { name: "New course" }).click();
  await page.getByRole("button", { name: "Add module" }).click();
  await page.getByLabel("Title of module 1").fill("First");
}

test("a large film that is cancelled is discarded, and begins anew", async ({
  page,
  openAs,
}, testInfo) => {
  const film = testInfo.outputPath("lesson.webm");
  await writeLargeFilm(film);
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio");
  await openModule(page);
  const methods: string[] = [];
  await page.route("**/storage/v1/upload/resumable{,/*}", async (route) => {
    const request = route.request();
    methods.push(request.method());
    if (request.headers()["upload-offset"] !== String(partBytes)) await route.continue();
  });
  await openForm(page, film);
  await expect.poll(() => methods).toEqual(["POST", "PATCH", "PATCH"]);
  // What is discarded is gone once the storage has said so; before, it would be asked for how far it had come.
  const discarded = page.waitForResponse((answer) => answer.request().method() === "DELETE");
  await page.getByRole("button", { name: "Cancel upload" }).click();
  expect((await discarded).status()).toBe(204);
  await page.getByRole("button", { name: "Upload film" }).click();
  await expect.poll(() => methods.slice(4)).toEqual(["POST", "PATCH", "PATCH"]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("a large film goes on after a lost connection, and after a reload", async ({
  page,
  openAs,
  context,
}, testInfo) => {
  const film = testInfo.outputPath("lesson.webm");
  await writeLargeFilm(film);
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio");
  await openModule(page);

  const sent: number[] = [];
  let cut = true;
  let held = true;
  await page.route("**/storage/v1/upload/resumable/*", async (route) => {
    if (route.request().method() !== "PATCH") return await route.continue();
    const offset = Number(route.request().headers()["upload-offset"]);
    sent.push(offset / partBytes);
    if (offset === partBytes && cut) {
      cut = false;
      await context.setOffline(true);
      return await route.abort("internetdisconnected");
    }
    // Held until the page is gone.
    if (offset === 2 * partBytes && held) return;
    return await route.continue();
  });
  await openForm(page, film);
  await expect(page.getByText(/^You're offline. The upload continues automatically/)).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect.poll(() => sent.at(-1)).toBe(2);
  expect(sent).toEqual([0, 1, ...sent.slice(2, -1).map(() => 1), 2]);

  page.on("dialog", (dialog) => void dialog.accept());
  await expect(page.getByText("All changes saved")).toBeVisible();
  await page.reload();
  held = false;
  sent.length = 0;
  await openForm(page, film);
  const video = page.getByLabel("Video: First");
  await expect
    .poll(
      async () => await video.evaluate((one: HTMLVideoElement) => one.textTracks[0]?.cues?.length),
    )
    .toBe(10);
  expect(sent).toEqual([2]);
  await expect(page.getByText("All changes saved")).toBeVisible();
});
