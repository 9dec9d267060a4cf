import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BootError } from "basehost";
import { StorageError, type NamedStore } from "basehost/files";

/**
 * Puts, reads, lists and deletes one small file, which is all that a host does in its bucket.
 * @throws {BootError} with what the server said
 */
export async function checkBucket({ blobs, place }: NamedStore): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bucket-"));
  const version = randomUUID();
  try {
    const path = join(folder, version);
    await writeFile(path, version);
    await blobs.put(version, path);
    const found = await blobs.open(version);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (found ?? []) as AsyncIterable<Uint8Array>) chunks.push(chunk);
    if (Buffer.concat(chunks).toString() !== version)
      throw new BootError(`${place} gave back other bytes than were put`);
    for await (const versions of blobs.list(0)) void versions;
    await blobs.remove([version]);
    return `${place} takes files, gives them back, and lets them be listed and deleted`;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { cause } = error;
    throw new BootError(`${place}: ${cause instanceof Error ? cause.message : String(cause)}`);
  } finally {
    blobs.close();
    await rm(folder, { recursive: true, force: true });
  }
}
