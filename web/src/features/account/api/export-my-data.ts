import { makeZip } from "client-zip";
import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";

const exported = z.looseObject({
  files: z.array(z.object({ bucket: z.string(), name: z.string(), updated_at: z.string() })),
});

const versionsPage = z.object({
  items: z.array(z.unknown()),
  next: z.nullable(z.object({ id: z.string(), version: z.number() })),
});

interface ArchiveEntry {
  name: string;
  input: Blob | Response;
  lastModified: Date;
}

/** True when the server answered and has no such file, or cannot read it; false when it could not be reached. */
function isAnswer(error: object): boolean {
  return typeof Reflect.get(error, "status") === "number";
}

/** A file of JSON. */
function jsonEntry(name: string, value: unknown): ArchiveEntry {
  const text = JSON.stringify(value, null, 2);
  return { name, input: new Response(text), lastModified: new Date() };
}

/**
 * Every version a mentor saved of drafts, and those of published courses that newer ones replaced. Together they may be far larger
 * than one answer of the server, so they come in pages, each a file of its own; none for members who wrote nothing.
 */
async function* versionEntriesOf(client: BackendClient): AsyncGenerator<ArchiveEntry> {
  for (const kind of ["draft", "course"]) {
    let after: { after_id?: string; after_version?: number } | null = {};
    for (let number = 1; after !== null; number += 1) {
      const { data, error } = await client.rpc("export_my_versions", { kind, ...after });
      if (error) throw error;
      const { items, next } = versionsPage.parse(data);
      if (items.length > 0) yield jsonEntry(`versions/${kind}s-${number}.json`, items);
      after = next === null ? null : { after_id: next.id, after_version: next.version };
    }
  }
}

/**
 * `data.json`, the versions of what one wrote, then each stored file, one after another so that only one is held at a time, last
 * `missing-files.txt` when the server could not read some of them.
 * @param missing receives the names of those
 * @param noteOf what the file says about them
 */
async function* entriesOf(
  client: BackendClient,
  data: z.infer<typeof exported>,
  missing: string[],
  noteOf: (missing: readonly string[]) => string,
): AsyncGenerator<ArchiveEntry> {
  yield jsonEntry("data.json", data);
  yield* versionEntriesOf(client);
  for (const { bucket, name, updated_at: time } of data.files) {
    const { data: file, error } = await client.storage.from(bucket).download(name);
    if (error && !isAnswer(error)) throw error;
    if (error) missing.push(`${bucket}/${name}`);
    else yield { name: `files/${bucket}/${name}`, input: file, lastModified: new Date(time) };
  }
  if (missing.length > 0) {
    const text = noteOf(missing);
    yield { name: "missing-files.txt", input: new Response(text), lastModified: new Date() };
  }
}

/**
 * Everything that is kept about the signed-in member in one zip archive: the rows as JSON, and the stored files. Throws the
 * database's error (FF300 when it was asked for too often), or the storage's when it cannot be reached.
 * @param noteOf what the archive says about files that are missing in it
 * @returns the archive, and the names of the files that the server could not read
 */
export async function exportMyData(
  client: BackendClient,
  noteOf: (missing: readonly string[]) => string,
): Promise<{ archive: Blob; missing: readonly string[] }> {
  const { data, error } = await client.rpc("export_my_data");
  if (error) throw error;
  const missing: string[] = [];
  const stream = makeZip(entriesOf(client, exported.parse(data), missing, noteOf));
  // Browsers keep a large blob on the disk.
  const headers = { "content-type": "application/zip" };
  return { archive: await new Response(stream, { headers }).blob(), missing };
}
