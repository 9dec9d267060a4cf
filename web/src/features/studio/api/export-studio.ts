import { makeZip } from "client-zip";
import { contentPictureBucket } from "@/domain/content-pictures.ts";
import { studioFiles } from "@/domain/library-files/studio-export.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toAppError } from "@/lib/errors.ts";

/**
 * Everything the caller wrote in one zip archive, as files that the library and the studio import, with the pictures beside the texts.
 * Throws the error of the database or the storage.
 * @returns the archive; null when nothing is written yet
 */
export async function exportStudio(client: BackendClient): Promise<Blob | null> {
  const { data, error } = await client.rpc("export_studio");
  if (error) throw error;
  const { texts, pictures } = await studioFiles(data);
  if (texts.size === 0) return null;
  const lastModified = new Date();
  const entries: { name: string; input: string | Blob; lastModified: Date }[] = Array.from(
    texts,
    ([name, input]) => ({ name, input, lastModified }),
  );
  const read = new Map<string, Blob | null>();
  for (const [path, name] of pictures) {
    const picture = read.get(name) ?? (await readPicture(client, name));
    read.set(name, picture);
    if (picture !== null) entries.push({ name: path, input: picture, lastModified });
  }
  const content = await new Response(makeZip(entries)).arrayBuffer();
  return new Blob([content], { type: "application/zip" });
}

/** A stored picture; null when it is gone, which must not keep the texts back. */
async function readPicture(client: BackendClient, name: string): Promise<Blob | null> {
  const { data, error } = await client.storage.from(contentPictureBucket).download(name);
  if (error === null) return data;
  const status = String(Reflect.get(error, "statusCode") ?? toAppError(error).status);
  if (status === "404") return null;
  throw error;
}
