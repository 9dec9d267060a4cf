import { mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArchiveError, newHeader, type ArchiveHeader } from "./archive-format.ts";
import { measureArchive } from "./extract-archive.ts";
import { readArchive } from "./read-archive.ts";
import { packTar } from "./tar-streams.ts";
import { writeArchive } from "./write-archive.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "archive-"));
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

const header = newHeader({ postgres: 17, schema: [{ name: "migrations/1_a.sql", sha256: "00" }] });
const endMark = new Date("2026-11-22T20:00:00.123Z");
const secret = "The quick brown fox";
const large = Buffer.alloc(300_000, "0123456789");

let made = 0;
async function archive(change: Partial<ArchiveHeader> = {}): Promise<string> {
  made += 1;
  const file = join(folder, `${made}.tar.gz`);
  await writeArchive(file, { ...header, ...change }, async (writer) => {
    await writer.addFolder("storage", 0o700);
    const content = [Buffer.from(secret)];
    await writer.addFile({ path: "secrets.json", size: secret.length, mode: 0o600, content });
    const parts = [large.subarray(0, 70_000), large.subarray(70_000)];
    await writer.addFile({
      path: "storage/large",
      size: large.length,
      mode: 0o600,
      content: parts,
    });
    return endMark;
  });
  return file;
}

const ignore = { onHeader: () => undefined };

async function refusal(file: string): Promise<string> {
  const error: unknown = await readArchive(file, ignore).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ArchiveError);
  return (error as Error).message;
}

/** Replaces bytes inside the compression, as a mistake that the compression's own checksum does not see. */
async function rewritten(file: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const bytes = gunzipSync(await readFile(file));
  await writeFile(file, gzipSync(change(bytes)));
  return file;
}

/** Entries without anything else, as another program might write them. */
async function entries(texts: readonly (readonly [name: string, text: string])[]): Promise<string> {
  made += 1;
  const file = join(folder, `${made}.tar.gz`);
  const pack = packTar();
  for (const [name, text] of texts) pack.entry({ name, size: text.length }).end(text);
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk as Buffer);
  await writeFile(file, gzipSync(Buffer.concat(chunks)));
  return file;
}

describe("an archive", () => {
  it("gives back what was written, and only its owner may read it", async () => {
    const file = await archive();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const files = new Map<string, Buffer>();
    const folders: string[] = [];
    const manifest = await readArchive(file, {
      onHeader: (read) => expect(read).toEqual(header),
      onFolder: async (path) => void folders.push(path),
      onFile: async (path, _mode, content) => {
        const chunks: Uint8Array[] = [];
        for await (const chunk of content) chunks.push(chunk);
        files.set(path, Buffer.concat(chunks));
      },
    });
    expect(folders).toEqual(["storage"]);
    expect(files.get("secrets.json")?.toString()).toBe(secret);
    expect(files.get("storage/large")?.equals(large)).toBe(true);
    expect(manifest.endMark).toBe(endMark.toISOString());
  });

  it("is measured before it is written, and refused as soon as it needs more room than there is", async () => {
    const file = await archive();
    const needed = await measureArchive(file, Infinity, () => undefined);
    expect(needed).toBeGreaterThan(secret.length + large.length);
    await expect(measureArchive(file, needed, () => undefined)).resolves.toBe(needed);
    await expect(measureArchive(file, needed - 1, () => undefined)).rejects.toThrow(
      "needs more than the 0 MB that are free on the disk",
    );
  });

  it("is refused wherever it was cut off", async () => {
    const { size } = await stat(await archive());
    for (const left of [0, 1, 10, 200, size >> 1, size - 100, size - 9, size - 1]) {
      const file = await archive();
      await truncate(file, left);
      expect(await refusal(file)).toMatch(/incomplete or damaged|is not a backup/);
    }
  });

  it("is refused when cut between two entries although the compression is whole", async () => {
    const file = await archive();
    await rewritten(file, (bytes) => bytes.subarray(0, bytes.indexOf("manifest.json")));
    expect(await refusal(file)).toContain("its end is missing");
  });

  it("is refused when a byte of a file, of the manifest or of a name has changed", async () => {
    const swap = (from: string, to: string) => (bytes: Buffer) => {
      const at = bytes.indexOf(from);
      expect(at).toBeGreaterThan(0);
      bytes.write(to, at);
      return bytes;
    };
    expect(
      await refusal(await rewritten(await archive(), swap("brown fox", "brown fax"))),
    ).toContain("a checksum differs");
    const manifest = await rewritten(await archive(), swap("T20:00:00.123Z", "T21:00:00.123Z"));
    expect(await refusal(manifest)).toContain("its manifest has changed");
    const renamed = await rewritten(await archive(), swap("storage/large", "storage/larger"));
    expect(await refusal(renamed)).toContain("incomplete or damaged");
  });

  it("is refused when a bit of the file has changed", async () => {
    const file = await archive();
    const bytes = await readFile(file);
    const at = bytes.length >> 1;
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    await writeFile(file, bytes);
    expect(await refusal(file)).toContain("incomplete or damaged");
  });

  it("is refused when another program made it", async () => {
    const text = join(folder, "text");
    await writeFile(text, "not an archive");
    for (const file of [
      text,
      await entries([["readme.txt", "Hello"]]),
      await entries([["backup.json", "{}"]]),
      await entries([["backup.json", '{"format":"another"}']]),
      await entries([]),
    ]) {
      expect(await refusal(file)).toMatch(/is not a backup of this software/);
    }
    expect(await refusal(join(folder, "missing"))).toContain("does not exist");
  });

  it("is refused when a newer version made it", async () => {
    expect(await refusal(await archive({ formatVersion: 2 }))).toContain("newer version");
  });

  it("never leaves its folder", async () => {
    for (const name of ["../outside", "a/../../outside", "/etc/outside", "a\\..\\b", "C:/x"]) {
      const file = await entries([
        ["backup.json", JSON.stringify(header)],
        [name, "x"],
      ]);
      expect(await refusal(file)).toMatch(/outside its folder|incomplete or damaged/);
    }
  });

  it("is not finished when a file changes its size or the disk refuses", async () => {
    const short = writeArchive(join(folder, "short"), header, async (writer) => {
      const content = [Buffer.from("abc")];
      await writer.addFile({ path: "a", size: 4, mode: 0o600, content });
      return endMark;
    });
    await expect(short).rejects.toThrow("changed its size");
    const nowhere = writeArchive(join(folder, "none", "x"), header, async () => endMark);
    await expect(nowhere).rejects.toThrow("ENOENT");
  });
});
