import { describe, expect, it } from "vitest";
import type { FileSources } from "@/domain/library-files/library-reader.ts";
import { chosenFiles, readImport } from "./model/import-files.ts";
import { unzipFiles } from "./model/unzip.ts";
import { zipArchive, type ArchiveEntry } from "./testing/zip-archive.ts";
import { asLink, linkPath } from "./model/import-paths.ts";
import { noteMessageText } from "./strings/import-notes.ts";
import { refusalOf } from "./testing/found-notes.ts";

const note =
  "---\ntitle: A Plan\nexcerpt: One sentence.\ntags: [planning, weeks]\norder: 1\n---\n\n## One\n\nText ![Two boats](pictures/boats.png)\n";
const monday: ArchiveEntry = { name: "notes/monday.md", data: note };
const boats: ArchiveEntry = { name: "notes/pictures/boats.png", data: "boats" };
/** A Word document: an archive with a Markdown file in it. */
const contract: ArchiveEntry = {
  name: "notes/contract.docx",
  data: zipArchive([{ name: "word/inside.md", data: note, isStored: true }]),
};
/** What begins like the header of a file in an archive. */
const signatures: ArchiveEntry = {
  name: "notes/data.bin",
  data: Buffer.concat([
    Buffer.from("PK\u0003\u0004PK\u0007\u0008PK\u0001\u0002".repeat(20)),
    Buffer.alloc(200, 0xff),
  ]),
};

function archive(...entries: readonly ArchiveEntry[]): Blob {
  return new Blob([zipArchive(entries)]);
}

function archiveOf(files: Readonly<Record<string, string>>): Blob {
  return archive(...Object.entries(files).map(([name, data]) => ({ name, data })));
}

async function textsOf(files: FileSources): Promise<Record<string, string>> {
  const texts = Array.from(files, async ([path, file]) => [
    path,
    new TextDecoder().decode(await file.arrayBuffer()),
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/** What the page would offer for an archive. */
async function offered(archived: Blob) {
  const file = new File([archived], "notes.zip");
  const { items, leftOut } = await readImport(await chosenFiles([{ path: "notes.zip", file }]));
  return {
    drafts: items.map(({ path }) => path),
    issues: items.flatMap(({ issues }) => issues.map(({ message }) => noteMessageText(message))),
    pictures: items.flatMap(({ pictures }) => [...pictures.keys()]),
    leftOut,
  };
}

const whole = {
  drafts: ["notes/monday.md"],
  issues: [],
  pictures: ["pictures/boats.png"],
  leftOut: [],
};

describe("archives as other programs write them", () => {
  const streamed = { isStreamed: true };
  const stored = { isStored: true };
  it.each<[string, ArchiveEntry[], readonly string[]]>([
    ["compressed", [monday, boats], []],
    ["not compressed", [monday, boats].map((entry) => ({ ...entry, ...stored })), []],
    ["streamed", [monday, boats].map((entry) => ({ ...entry, ...streamed })), []],
    [
      "streamed and not compressed",
      [monday, boats].map((entry) => ({ ...entry, ...streamed, ...stored })),
      [],
    ],
    ["in zip64", [monday, boats].map((entry) => ({ ...entry, isZip64: true })), []],
    [
      "in zip64, streamed",
      [monday, boats].map((entry) => ({ ...entry, ...streamed, isZip64: true })),
      [],
    ],
    [
      "with ./ before names",
      [monday, boats].map((entry) => ({ ...entry, name: `./${String(entry.name)}` })),
      [],
    ],
    [
      "with a document",
      [{ ...contract, ...stored }, { ...monday, ...stored }, boats],
      ["notes/contract.docx"],
    ],
    [
      "with a document, streamed",
      [contract, monday, boats].map((entry) => ({ ...entry, ...streamed, ...stored })),
      ["notes/contract.docx"],
    ],
    [
      "with signatures in a file",
      [monday, boats, signatures].map((entry) => ({ ...entry, ...stored })),
      ["notes/data.bin"],
    ],
    [
      "with signatures in a file, streamed",
      [signatures, monday, boats].map((entry) => ({ ...entry, ...streamed, ...stored })),
      ["notes/data.bin"],
    ],
    [
      "with signatures in a file, streamed and compressed",
      [signatures, monday, boats].map((entry) => ({ ...entry, ...streamed })),
      ["notes/data.bin"],
    ],
    [
      "with links to files, which are not followed",
      [
        monday,
        boats,
        { name: "notes/link.md", data: "monday.md", unixMode: 0o120777 },
        { name: "notes/out.png", data: "../../etc/passwd", unixMode: 0o120777 },
      ],
      ["notes/link.md", "notes/out.png"].map(asLink),
    ],
    [
      "with what macOS adds",
      [
        monday,
        boats,
        { name: "__MACOSX/notes/._monday.md", data: "x" },
        { name: "notes/.DS_Store", data: "x" },
        { name: "notes/Icon\r", data: "" },
      ],
      [],
    ],
  ])("are read: %s", async (_what, entries, leftOut) => {
    expect(await offered(archive(...entries))).toEqual({ ...whole, leftOut });
  });

  it("name the picture that a link stands for", async () => {
    const link = { name: boats.name, data: "../boats.png", unixMode: 0o120777 };
    const { issues, leftOut } = await offered(archive(monday, link));
    expect(issues).toEqual([
      expect.stringContaining("no picture `pictures/boats.png` in this import"),
    ]);
    expect(leftOut.map(linkPath)).toEqual(["notes/pictures/boats.png"]);
  });

  it("are read when something stands before and after them", async () => {
    const bytes = zipArchive([monday, boats]);
    const wrapped = new Blob(["#!/bin/sh exit\n", bytes, "signed by nobody"]);
    expect(await offered(wrapped)).toEqual(whole);
  });

  it.each<[string, ArchiveEntry["name"], boolean]>([
    ["marked as UTF-8", "café.png", false],
    ["in UTF-8 without the mark, as macOS writes", "café.png", true],
    ["with the accent apart", "cafe\u0301.png", false],
    [
      "in the code page of DOS",
      new Uint8Array([0x63, 0x61, 0x66, 0x82, 0x2e, 0x70, 0x6e, 0x67]),
      true,
    ],
  ])("have names %s", async (_what, name, isUnflagged) => {
    const files = await unzipFiles(archive({ name, data: "x", isUnflagged }));
    expect([...files.keys()]).toEqual(["caf\u00e9.png"]);
  });

  it("hold a thousand notes, however many files macOS adds", async () => {
    const notes = Array.from({ length: 1000 }, (_, index) => [
      { name: `${index}.md`, data: note },
      { name: `__MACOSX/._${index}.md`, data: "x" },
    ]);
    expect((await unzipFiles(archive(...notes.flat()))).size).toBe(1000);
  });
});

describe("archives within an archive", () => {
  const part = (...entries: readonly ArchiveEntry[]) => zipArchive(entries);

  it("are opened when there is nothing else, as Notion exports them, one level deep", async () => {
    const deeper = part({ name: "deeper.md", data: note });
    const files = await unzipFiles(
      archive(
        { name: "Export/Part-1.zip", data: part(monday, { name: "more.zip", data: deeper }) },
        { name: "Export/Part-2.zip", data: part(boats), isStored: true },
        { name: "Export/Part-3.zip", data: part({ ...monday, data: "another" }) },
      ),
    );
    expect([...files.keys()]).toEqual([
      "Export/notes/monday.md",
      "Export/more.zip",
      "Export/notes/pictures/boats.png",
      "Export/Part-3/notes/monday.md",
    ]);
  });

  it("are left out by name beside notes, where they are attachments", async () => {
    const attached = { name: "notes/attached.zip", data: part(monday) };
    expect(await offered(archive(monday, boats, attached))).toEqual({
      ...whole,
      leftOut: ["notes/attached.zip"],
    });
  });

  it("count towards the limits, and are refused by name when they lead out", async () => {
    const zeros = { name: "bomb.md", data: new Uint8Array(30 * 1024 ** 2) };
    const bombs = [1, 2].map((number) => ({ name: `${number}.zip`, data: part(zeros) }));
    expect(await refusalOf(unzipFiles(archive(...bombs)))).toContain("more than 50 MB of files");
    const evil = part({ name: "../../evil.md", data: "x" });
    expect(await refusalOf(unzipFiles(archive({ name: "part.zip", data: evil })))).toContain(
      "unsafe name: ../../evil.md",
    );
  });
});

describe("unpacking an archive", () => {
  it("gives its files, without folders", async () => {
    const files = await unzipFiles(archiveOf({ "a/": "", "a/b.md": "text", "c.md": "" }));
    expect(await textsOf(files)).toEqual({ "a/b.md": "text", "c.md": "" });
  });

  it.each([
    "../evil.md",
    "/etc/evil.md",
    "a/../../evil.md",
    "C:/evil.md",
    "a\\..\\..\\evil.md",
    "./../evil.md",
    "a//b.md",
    "a\nb.md",
  ])("refuses the name %j", async (name) => {
    expect(await refusalOf(unzipFiles(archiveOf({ [name]: "x" })))).toContain("unsafe name");
  });

  it("stops a small archive of endless zeros at its limit", async () => {
    const zeros = new Uint8Array(60 * 1024 ** 2);
    const bomb = archive({ name: "bomb.md", data: zeros });
    expect(bomb.size).toBeLessThan(100_000);
    expect(await refusalOf(unzipFiles(bomb))).toContain("more than 50 MB of files");
  });

  it("stops at a thousand files, and at one name twice", async () => {
    const many = Array.from({ length: 1001 }, (_, index) => [`${index}.md`, "x"]);
    const archive = archiveOf(Object.fromEntries(many) as Record<string, string>);
    expect(await refusalOf(unzipFiles(archive))).toContain("more than 1000 files");
    expect(await refusalOf(unzipFiles(archiveOf({ "a/b.md": "x", "a\\b.md": "y" })))).toContain(
      "a/b.md twice",
    );
  });

  it("refuses what is cut short, damaged, empty, too large or no archive", async () => {
    const whole = archiveOf({ "a.md": "some text, ".repeat(500) });
    expect(await refusalOf(unzipFiles(whole.slice(0, 60)))).toContain("damaged");
    const bytes = new Uint8Array(await whole.arrayBuffer());
    bytes.fill(0xff, 34, 50);
    expect(await refusalOf(unzipFiles(new Blob([bytes])))).toContain("damaged");
    expect(await refusalOf(unzipFiles(new Blob(["no archive"])))).toContain("no files");
    expect(await refusalOf(unzipFiles(archiveOf({})))).toContain("no files");
    const large = new Blob([new Uint8Array(21 * 1024 ** 2)]);
    expect(await refusalOf(unzipFiles(large))).toContain("more than 20 MB");
  });

  it("says what to do about a password, another packing, and bytes that changed", async () => {
    const locked = archive({ name: "a.md", data: "x", isEncrypted: true });
    expect(await refusalOf(unzipFiles(locked))).toContain("protected by a password");
    const packed = archive({ name: "a.md", data: "x", method: 95 });
    expect(await refusalOf(unzipFiles(packed))).toContain("packed in a way");
    const bytes = zipArchive([{ name: "a.md", data: "twelve words", isStored: true }]);
    bytes[40] = 0x21;
    expect(await refusalOf(unzipFiles(new Blob([bytes])))).toContain("damaged");
  });

  it("keeps whole pictures of an archive, and of texts no more than the library takes", async () => {
    const [picture, text] = ["p".repeat(300_000), "t".repeat(300_000)];
    const files = await unzipFiles(archiveOf({ "pictures/a.png": picture, "a.md": text }));
    expect((await files.get("pictures/a.png")?.arrayBuffer())?.byteLength).toBe(300_000);
    expect((await files.get("a.md")?.arrayBuffer())?.byteLength).toBeLessThan(300_000);
    expect(files.get("a.md")?.size).toBe(300_000);
  });
});
