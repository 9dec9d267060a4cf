import { describe, expect, it } from "vitest";
import { chosenFiles, readImport } from "./model/import-files.ts";
import { droppedFiles } from "./model/dropped-files.ts";
import { noteMessageText } from "./strings/import-notes.ts";
import { refusalOf } from "./testing/found-notes.ts";

const article = (body: string) =>
  `---\ntitle: Monday\nexcerpt: One sentence.\ntags: [planning, weeks]\norder: 1\n---\n\n${body}\n`;
const lesson = "---\ntitle: Begin\nminutes: 20\n---\n\nThe lesson.\n\n## Exercise\n\nDo it.\n";
const sheet =
  "---\ntitle: Study\ndescription: x\ndifficulty: advanced\nprice: 9.5\norder: 1\n---\n";

async function found(texts: Readonly<Record<string, string>>) {
  const chosen = Object.entries(texts).map(([path, text]) => ({
    path,
    file: new File([text], path),
  }));
  return await readImport(await chosenFiles(chosen));
}

describe("reading files to import", () => {
  it("finds articles and courses, wherever their folders begin", async () => {
    const { items, leftOut } = await found({
      "monday.md": article("Loose."),
      "mine/general/weeks/tuesday.md": article("Placed."),
      "mine/general/weeks/_subcategory.md": "not read",
      "mine/general/weeks/cover.png": "x",
      "mine/.git/config.md": "x",
      "__MACOSX/mine/._monday.md": "x",
      "mine/general/weeks/courses/study/_course.md": sheet,
      "mine/general/weeks/courses/study/01-begin.md": lesson,
      "elsewhere/_course.md": sheet,
      "elsewhere/01-begin.md": lesson,
    });
    expect(leftOut).toEqual(["mine/general/weeks/cover.png"]);
    const weeks = { category: "general", slug: "weeks" };
    expect(items).toMatchObject([
      { path: "mine/general/weeks/tuesday.md", kind: "article", shelf: weeks, issues: [] },
      { path: "monday.md", kind: "article", shelf: null, content: { content: "Loose." } },
      { path: "elsewhere", kind: "course", shelf: null, issues: [] },
      { path: "mine/general/weeks/courses/study", kind: "course", shelf: weeks, issues: [] },
    ]);
    expect(items[3]?.content).toMatchObject({
      title: "Study",
      excerpt: "x",
      difficulty: "advanced",
      price: 9.5,
      modules: [{ slug: "begin", title: "Begin", minutes: 20, videoUrl: null }],
    });
  });

  it("takes pictures that lie beside their texts, and leaves out the others", async () => {
    const shown = "![Two boats](pictures/boats.png#16x9) and ![A rope](pictures/rope.JPG)";
    const { items, leftOut } = await found({
      "weeks/monday.md": article(shown).replace("order:", "cover: pictures/cover.webp\norder:"),
      "weeks/pictures/boats.png": "boats",
      "weeks/pictures/rope.JPG": "rope",
      "weeks/pictures/cover.webp": "cover",
      "weeks/pictures/other.png": "other",
      "courses/study/_course.md": sheet.replace("order:", "cover: pictures/boats.png\norder:"),
      "courses/study/01-begin.md": lesson.replace("The lesson.", "![Boats](pictures/boats.png)"),
      "courses/study/pictures/boats.png": "boats",
    });
    expect(items.flatMap(({ issues }) => issues)).toEqual([]);
    expect(leftOut).toEqual(["weeks/pictures/other.png"]);
    expect(items.map(({ pictures }) => [...pictures.keys()].toSorted())).toEqual([
      ["pictures/boats.png", "pictures/cover.webp", "pictures/rope.JPG"],
      ["pictures/boats.png"],
    ]);
    expect(items.map(({ content }) => content?.cover)).toEqual([
      "pictures/cover.webp",
      "pictures/boats.png",
    ]);
  });

  it.each([
    ["![Boats](pictures/gone.png)", "There is no picture `pictures/gone.png` in this import."],
    ["![Boats](pictures/notes.svg)", "`pictures/notes.svg` isn't a JPG, PNG or WebP."],
    ["![Boats](https://evil.example/pictures/boats.png)", "Only pictures"],
    ["![Boats](//evil.example/pictures/boats.png)", "Only pictures"],
  ])("takes no picture from %s", async (text, message) => {
    const { items } = await found({
      "weeks/monday.md": article(text),
      "weeks/pictures/boats.png": "boats",
      "weeks/pictures/notes.svg": "notes",
    });
    expect(items[0]?.issues.map((issue) => noteMessageText(issue.message))).toEqual([
      expect.stringContaining(message),
    ]);
    expect(items[0]?.content).toBeNull();
  });

  it.each([
    "![Boats](../other/pictures/boats.png)",
    "![Boats](/weeks/pictures/boats.png)",
    "![Boats](<pictures/boats.png>)",
    "![](pictures/boats.png)",
  ])("takes the picture of its name for %s", async (text) => {
    const { items } = await found({
      "weeks/monday.md": article(text),
      "weeks/pictures/boats.png": "boats",
    });
    expect(items[0]?.issues).toEqual([]);
    expect(items[0]?.content?.content).toMatch(/^!\[[Bb]oats\]\(pictures\/boats\.png\)$/);
    expect([...(items[0]?.pictures.keys() ?? [])]).toEqual(["pictures/boats.png"]);
    const toDescribe = items[0]?.changes.filter(
      ({ message: [code] }) => code === "describePicture",
    );
    expect(toDescribe).toHaveLength(text.startsWith("![]") ? 1 : 0);
  });

  it("takes no cover that is not there", async () => {
    const text = article("Fine.").replace("order:", "cover: pictures/gone.png\norder:");
    const { items } = await found({ "weeks/monday.md": text });
    expect(items[0]?.issues.map(({ message }) => noteMessageText(message))).toEqual([
      expect.stringContaining("a picture beside this file"),
    ]);
  });

  it("names the line of what is too much to be shown, in notes, articles and lessons", async () => {
    const bomb = `Fine.\n\n${"> ".repeat(3000)}a`;
    const { items } = await found({
      "monday.md": article(bomb),
      "note.md": bomb,
      "courses/study/_course.md": sheet,
      "courses/study/01-begin.md": lesson.replace("## Exercise", `${bomb}\n\n## Exercise`),
    });
    expect(items.map(({ content }) => content)).toEqual([null, null, null]);
    for (const { issues } of items) {
      const [issue] = issues;
      expect(issue && noteMessageText(issue.message)).toMatch(
        /^Lists, quotes and footnotes are nested too deeply here\. Use at most 20/,
      );
      expect(issue?.text).toMatch(/^> > > /);
    }
  });

  it("names the line of every issue, and keeps back the whole course of a broken lesson", async () => {
    const { items } = await found({
      "monday.md": article("Fine.\r\n\r\nSome <b>bold</b>."),
      "courses/study/_course.md": sheet,
      "courses/study/01-begin.md": lesson,
      "courses/study/02-on.md": "no front matter",
      "courses/empty/01-begin.md": lesson,
    });
    expect(items.map(({ content }) => content)).toEqual([null, null, null]);
    expect(items[0]?.issues).toEqual([
      {
        file: "monday.md",
        line: 10,
        message: ["ofLibrary", "Raw HTML is not allowed; write Markdown."],
        text: "Some <b>bold</b>.",
      },
    ]);
    expect(items[1]?.issues.map(({ message }) => noteMessageText(message))).toEqual([
      "The course has no file `_course.md`.",
    ]);
    expect(items[2]?.issues).toMatchObject([
      { file: "courses/study/02-on.md", line: 1, text: "no front matter" },
    ]);
  });

  it("refuses a file that is no text, too large, or chosen twice", async () => {
    const binary = new File([new Uint8Array([0xff, 0xfe, 0xff])], "binary.md");
    const large = new File([article("x".repeat(300_000))], "large.md");
    const chosen = [
      { path: "binary.md", file: binary },
      { path: "large.md", file: large },
    ];
    const { items } = await readImport(await chosenFiles(chosen));
    expect(items.map(({ issues: [first] }) => first && noteMessageText(first.message))).toEqual([
      "The file is not UTF-8 text.",
      expect.stringContaining("at most 200 KB are allowed"),
    ]);
    const twice = chosenFiles([...chosen, ...chosen]);
    expect(await refusalOf(twice)).toContain("binary.md was chosen twice.");
  });
});

/** A dropped file or folder. As in browsers, a folder gives its entries in batches. */
function entryOf(path: string, below?: readonly object[]): object {
  const batches = [below?.slice(0, 100), below?.slice(100), []];
  return {
    fullPath: path,
    isFile: below === undefined,
    file: (resolve: (file: File) => void) => resolve(new File(["x"], path)),
    createReader: () => ({
      readEntries: (resolve: (entries: unknown) => void) => resolve(batches.shift()),
    }),
  };
}

function drop(...entries: readonly object[]): DataTransfer {
  const items = entries.map((entry) => ({
    webkitGetAsEntry: () => entry,
    getAsFile: () => null,
  }));
  return { items } as unknown as DataTransfer;
}

describe("dropping", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => entryOf(`/mine/${index}.md`));

  it("takes folders with everything below them", async () => {
    const dropped = await droppedFiles(
      drop(entryOf("/a.md"), entryOf("/mine", [...files(150), entryOf("/mine/b", [])])),
    );
    expect(dropped).toHaveLength(151);
    expect(dropped.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["a.md", "mine/0.md", "mine/149.md"]),
    );
  });

  it("stops at a thousand files", async () => {
    const dropped = droppedFiles(drop(entryOf("/mine", files(2000))));
    expect(await refusalOf(dropped)).toContain("at most 1000 files");
  });
});
