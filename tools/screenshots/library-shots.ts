import type { Page } from "@playwright/test";
import type { Shot } from "./shot.ts";

/** Opens the first article or course of a shelf. */
async function openFirst(page: Page): Promise<void> {
  await page.getByRole("article").first().getByRole("link").first().click();
  await page.waitForURL(/[0-9a-f-]{36}/);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
}

/** Opens the article whose mentor gave it a picture. */
async function openPictured(page: Page): Promise<void> {
  await page.getByRole("link", { name: "The Month That Hasn't Happened Yet" }).click();
  await page.locator(".reading").waitFor();
}

/** Opens the first course of a shelf and its first lesson. */
async function takeFirst(page: Page): Promise<void> {
  await openFirst(page);
  const enroll = page.getByRole("button", { name: "Enroll in This Course" });
  if (await enroll.isVisible()) await enroll.click();
  await page.locator(".reading").waitFor();
}

/** Opens the first article of a shelf and reads it, so that it can be rated. */
async function readFirst(page: Page): Promise<void> {
  await openFirst(page);
  const mark = page.getByRole("button", { name: "Mark as Read" });
  if (await mark.first().isVisible()) await mark.first().click();
  const rating = page.getByRole("region", { name: /^What did you think/ });
  await rating.getByRole("radio", { name: /^4 stars/ }).press("Space");
  await rating.scrollIntoViewIfNeeded();
}

/** Opens the lesson with a film and stops at a caption. */
async function watch(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Price It Properly" }).click();
  const enroll = page.getByRole("button", { name: "Enroll in This Course" });
  const second = page.getByRole("link", { name: /What It Is Worth to Them/ });
  await enroll.or(second).first().waitFor();
  if (await enroll.isVisible()) await enroll.click();
  await second.first().click();
  await page.locator("video").evaluate(async (film: HTMLVideoElement) => {
    const shown = new Promise((resolve) =>
      film.addEventListener("seeked", resolve, { once: true }),
    );
    film.currentTime = 48;
    await shown;
  });
}

/** Screens of the library, as a member who may read all of it. */
export const libraryShots: Shot[] = [
  {
    name: "member-author",
    path: "/members?search=okafor",
    prepare: async (page) => {
      await page.getByRole("link", { name: "Helen Okafor" }).click();
      await page.getByRole("region", { name: "Articles and courses" }).waitFor();
    },
  },
  { name: "library-home", path: "/knowledge/foundations" },
  { name: "library-courses", path: "/business/courses" },
  { name: "library-articles", path: "/knowledge/foundations/learning" },
  { name: "library-shelf-courses", path: "/knowledge/courses/learning" },
  { name: "library-reader", path: "/knowledge/foundations/learning", prepare: openFirst },
  { name: "library-covers", path: "/business/foundations/books-and-cash" },
  {
    name: "library-reader-cover",
    path: "/business/foundations/books-and-cash",
    prepare: openPictured,
  },
  { name: "library-rating", path: "/knowledge/foundations/learning", prepare: readFirst },
  { name: "library-enroll", path: "/knowledge/courses/learning", prepare: openFirst },
  { name: "library-player", path: "/knowledge/courses/learning", prepare: takeFirst },
  { name: "library-film", path: "/business/courses/offers-and-pricing", prepare: watch },
  { name: "library-missing", path: "/knowledge/foundations/nowhere" },
];
