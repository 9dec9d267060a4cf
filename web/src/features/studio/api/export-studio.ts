import { makeZip } from "client-zip";
import { studioFiles } from "@/domain/library-files/studio-export.ts";
import type { BackendClient } from "@/lib/backend-client.ts";

/**
 * Everything the caller wrote in one zip archive, as files that the library and the studio import. Throws the database's error.
 * @returns the archive; null when nothing is written yet
 */
export async function exportStudio(client: BackendClient): Promise<Blob | null> {
  const { data, error } = await client.rpc("export_studio");
  if (error) throw error;
  const texts = await studioFiles(data);
  if (texts.size === 0) return null;
  const lastModified = new Date();
  const entries = Array.from(texts, ([name, input]) => ({ name, input, lastModified }));
  const content = await new Response(makeZip(entries)).arrayBuffer();
  return new Blob([content], { type: "application/zip" });
}
