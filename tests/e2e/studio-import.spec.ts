import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import {
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
} from "@zip.js/zip.js/lib/zip-core-custom.js";
import { downloadZip } from "client-zip";
import sharp from "sharp";
import { createAccount } from "./support/accounts.ts";
import { makeShelf } from "./support/library.ts";
import { openWindow } from "./support/open-window.ts";
import { expect, expectAccessible, test } from "./support/test.ts";

const article = (title: string, body: string) =>
  `---\ntitle: ${title}\nexcerpt: One sentence about it.\ntags: [planning, weeks]\norder: 1\n---\n\n${body}\n`;
const lesson = (title: string) =>
  `---\ntitle: ${title}\nminutes: 20\n---\n\nThe lesson.\n\n## Exercise\n\nDo it.\n`;
/** Presses "Export everything" and waits for the file. */
async function exportEverything(page: Page): Promise<Buffer> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export everything" }).click();
  const saved = await (await saving).path();
  await expect(page.getByText("Everything you wrote was saved")).toBeVisible();
  return readFileSync(saved);
}

async function upload(page: Page, archive: Uint8Array): Promise<void> {
  const file = { name: "mine.zip", mimeType: "application/zip", buffer: Buffer.from(archive) };
  await page.getByLabel("Files to import").setInputFiles(file);
}

/** The files of an archive, whosever the pictures are. */
function anonymous(files: Readonly<Record<string, Uint8Array>>) {
  const rename = (text: string) => text.replaceAll(/[0-9a-f-]{36}-\d+\.png/g, "PICTURE.png");
  const texts = Object.entries(files).filter(([path]) => path.endsWith(".md"));
  return {
    paths: Object.keys(files).map(rename).toSorted(),
    texts: Object.fromEntries(
      texts.map(([path, bytes]) => [path, rename(new TextDecoder().decode(bytes))]),
    ),
  };
}

/** The files of an archive, with their bytes. */
async function unzip(archive: Uint8Array): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await new ZipReader(new Uint8ArrayReader(archive)).getEntries()) {
    if (!entry.directory) files[entry.filename] = await entry.getData(new Uint8ArrayWriter());
  }
  return files;
}

test("a file with a mistake is mended and imported, once", async ({ page, openAs }) => {
  const shelf = await makeShelf("general");
  const mentor = await createAccount("onboarded", "mentor-access");
  await openAs(mentor, "/studio");
  await page.getByRole("link", { name: "Import Markdown" }).click();
  await expect(page.getByRole("heading", { name: "Import Markdown" })).toBeVisible();
  await expectAccessible(page);

  const file = (body: string) => ({
    name: "monday.md",
    mimeType: "text/markdown",
    buffer: Buffer.from(article("A Plan for Monday", body)),
  });
  await page.getByLabel("Files to import").setInputFiles(file("First.\n\nSome <b>bold</b> words."));
  const toFix = page.getByRole("list", { name: "To fix in monday.md" });
  await expect(toFix).toContainText("Line 10: Raw HTML is not allowed");
  await expect(toFix).toContainText("Some <b>bold</b> words.");
  await expect(page.getByRole("button", { name: /^Import \d/ })).toHaveCount(0);
  await expectAccessible(page);

  await page.getByLabel("Files to import").setInputFiles(file("First.\n\nSome **bold** words."));
  await expect(toFix).toHaveCount(0);
  await page.getByRole("button", { name: "Import 1 draft" }).click();
  await expect(page.getByText("Imported.")).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("Files to import").setInputFiles(file("Another text."));
  await page.getByRole("button", { name: "Import 1 draft" }).click();
  await expect(page.getByText("so it was skipped")).toBeVisible();
  await page.getByRole("link", { name: "Open the draft of A Plan for Monday" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("A Plan for Monday");
  await expect(page.getByRole("textbox", { name: "Article" })).toHaveText(/Some bold words\./);
  await page.getByLabel("Subcategory").selectOption({ label: shelf.name });
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
});

test("a folder is chosen or dropped, and one broken lesson keeps its course back", async ({
  page,
  openAs,
}) => {
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio/import");
  const folder = await mkdtemp(join(tmpdir(), "fourfold-import-"));
  const course = join(folder, "courses", "weeks");
  await mkdir(course, { recursive: true });
  await writeFile(
    join(course, "_course.md"),
    "---\ntitle: Weeks\ndescription: Five hours.\ndifficulty: beginner\nprice: 0\norder: 1\n---\n",
  );
  await writeFile(join(course, "01-begin.md"), lesson("Begin"));
  await writeFile(join(course, "02-go-on.md"), lesson("Go on").replace("## Exercise", "## Work"));
  await page.getByLabel("Folder to import").setInputFiles(folder);
  const toFix = page.getByRole("list", { name: /^To fix in .*\/courses\/weeks$/ });
  await expect(toFix).toContainText("02-go-on.md, line 5: The lesson has no `## Exercise`.");
  await expect(page.getByRole("button", { name: /^Import \d/ })).toHaveCount(0);
  await rm(folder, { recursive: true });

  const dataTransfer = await page.evaluateHandle(
    (text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "monday.md"));
      return transfer;
    },
    article("A Plan for Monday", "First."),
  );
  await page.getByText("Drop Markdown files").dispatchEvent("drop", { dataTransfer });
  await page.getByRole("button", { name: "Import 1 draft" }).click();
  await expect(page.getByText("Imported.")).toBeVisible();
});

test("an archive becomes drafts, and the export holds the same files", async ({
  page,
  openAs,
  browser,
}) => {
  const shelf = await makeShelf("general");
  const place = `general/${shelf.slug}`;
  const red = { create: { width: 64, height: 32, channels: 3, background: "#9b2226" } } as const;
  const boats = new Uint8Array(await sharp(red).png().toBuffer());
  const body = "First.\n\n## Then\n\n![Boats](pictures/boats.png)";
  const files = {
    [`export/${place}/monday.md`]: article("Monday", body).replace(
      "order:",
      "cover: pictures/boats.png\norder:",
    ),
    [`export/${place}/courses/weeks/_course.md`]:
      "---\ntitle: Weeks\ndescription: Five hours.\ndifficulty: intermediate\nprice: 49.50\norder: 1\n---\n",
    [`export/${place}/courses/weeks/01-begin.md`]: lesson("Begin"),
    [`export/${place}/courses/weeks/02-go-on.md`]: lesson("Go on"),
    "export/picture.png": "no picture",
  };
  const zipped = await downloadZip([
    { name: `export/${place}/pictures/boats.png`, input: boats },
    ...Object.entries(files).map(([name, input]) => ({ name, input })),
  ]).arrayBuffer();
  await openAs(await createAccount("onboarded", "mentor-access"), "/studio/import");
  await upload(page, new Uint8Array(zipped));
  await expect(page.getByText("picture.png")).toBeVisible();
  await expect(page.getByText("2 modules")).toBeVisible();
  await page.getByRole("button", { name: "Import 2 drafts" }).click();
  await expect(page.getByText("Imported.")).toHaveCount(2);

  await page.getByRole("link", { name: "Back to the studio" }).click();
  await expect(page.getByRole("link", { name: /^Weeks/ })).toBeVisible();
  const saved = await exportEverything(page);
  await expectAccessible(page);
  const exported = await unzip(saved);
  expect(anonymous(exported).paths).toEqual([
    `${place}/_subcategory.md`,
    `${place}/courses/weeks/01-begin.md`,
    `${place}/courses/weeks/02-go-on.md`,
    `${place}/courses/weeks/_course.md`,
    `${place}/monday.md`,
    `${place}/pictures/PICTURE.png`,
  ]);
  const monday = anonymous(exported).texts[`${place}/monday.md`];
  expect(monday).toContain('\ncover: "pictures/PICTURE.png"\n');
  expect(monday).toContain("\n---\n\nFirst.\n\n## Then\n\n![Boats](pictures/PICTURE.png#64x32)\n");

  await page.getByRole("link", { name: "Import Markdown" }).click();
  await upload(page, saved);
  await page.getByRole("button", { name: "Import 2 drafts" }).click();
  await expect(page.getByText("so it was skipped")).toHaveCount(2);
  await page.getByRole("button", { name: "Import as new" }).first().click();
  await expect(page.getByText("Imported.")).toHaveCount(1);

  // What was exported here keeps its pictures.
  await page.getByRole("link", { name: "Open the draft of Monday" }).click();
  await expect(page.getByRole("img", { name: "Boats" })).toHaveJSProperty("naturalWidth", 64);
  await page.goto("/studio");
  const again = await unzip(await exportEverything(page));
  const pictures = (of: object) => Object.keys(of).filter((path) => path.endsWith(".png"));
  expect(new Set(pictures(again).map((path) => path.split("/").at(-1)))).toEqual(
    new Set(pictures(exported).map((path) => path.split("/").at(-1))),
  );

  // Another mentor's studio takes the archive and gives the same files, with pictures of its own.
  const other = await createAccount("onboarded", "mentor-access");
  const elsewhere = await openWindow(browser, other, "/studio/import");
  await upload(elsewhere, saved);
  await elsewhere.getByRole("button", { name: "Import 2 drafts" }).click();
  await expect(elsewhere.getByText("Imported.")).toHaveCount(2);
  await elsewhere.getByRole("link", { name: "Back to the studio" }).click();
  const theirs = await unzip(await exportEverything(elsewhere));
  expect(anonymous(theirs)).toEqual(anonymous(exported));
  expect(pictures(theirs)).not.toEqual(pictures(exported));
});
