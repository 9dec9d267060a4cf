import { makeZip } from "client-zip";
import { z } from "zod";
import type { BackendClient } from "@/lib/backend-client.ts";

const exported = z.looseObject({
  files: z.array(z.object({ bucket: z.string(), name: z.string(), updated_at: z.string() })),
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

/**
 * `data.json`, then each stored file, one after another so that only one is held at a time, last `missing-files.txt` when the server
 * could not read some of them.
 * @param missing receives the names of those
 */
async function* entriesOf(
  client: BackendClient,
  data: z.infer<typeof exported>,
  missing: string[],
): AsyncGenerator<ArchiveEntry> {
  const text = JSON.stringify(data, null, 2);
  yield { name: "data.json", input: new Response(text), lastModified: new Date() };
  for (const { bucket, name, updated_at: time } of data.files) {
    const { data: file, error } = await client.storage.from(bucket).download(name);
    if (error && !isAnswer(error)) throw error;
    if (error) missing.push(`${bucket}/${name}`);
    else yield { name: `files/${bucket}/${name}`, input: file, lastModified: new Date(time) };
  }
  if (missing.length > 0) {
    const text = `These files could not be read when this archive was made:\n\n${missing.join("\n")}\n`;
    yield { name: "missing-files.txt", input: new Response(text), lastModified: new Date() };
  }
}

/**
 * Everything that is kept about the signed-in member in one zip archive: the rows as JSON, and the stored files. Throws the
 * database's error (FF300 when it was asked for too often), or the storage's when it cannot be reached.
 * @returns the archive, and the names of the files that the server could not read
 */
export async function exportMyData(
  client: BackendClient,
): Promise<{ archive: Blob; missing: readonly string[] }> {
  const { data, error } = await client.rpc("export_my_data");
  if (error) throw error;
  const missing: string[] = [];
  const stream = makeZip(entriesOf(client, exported.parse(data), missing));
  const content = await new Response(stream).arrayBuffer();
  return { archive: new Blob([content], { type: "application/zip" }), missing };
}
