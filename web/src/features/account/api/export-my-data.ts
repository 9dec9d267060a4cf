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

/** `data.json`, then each stored file, one after another so that only one is held at a time. */
async function* entriesOf(
  client: BackendClient,
  data: z.infer<typeof exported>,
): AsyncGenerator<ArchiveEntry> {
  const text = JSON.stringify(data, null, 2);
  yield { name: "data.json", input: new Response(text), lastModified: new Date() };
  for (const { bucket, name, updated_at: time } of data.files) {
    const { data: file, error } = await client.storage.from(bucket).download(name);
    if (error) throw error;
    yield { name: `files/${bucket}/${name}`, input: file, lastModified: new Date(time) };
  }
}

/**
 * Everything that is kept about the signed-in member in one zip archive: the rows as JSON, and the stored files. Throws the
 * database's or the storage's error; FF300 when it was asked for too often.
 */
export async function exportMyData(client: BackendClient): Promise<Blob> {
  const { data, error } = await client.rpc("export_my_data");
  if (error) throw error;
  const stream = makeZip(entriesOf(client, exported.parse(data)));
  const content = await new Response(stream).arrayBuffer();
  return new Blob([content], { type: "application/zip" });
}
