import { open } from "node:fs/promises";

/** Resolves once the file's content would survive a power cut. */
export async function fsyncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves once the names in the folder would survive a power cut, where the file system supports it. */
export async function fsyncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch {
    // Some systems refuse to sync a folder.
  } finally {
    await handle.close();
  }
}
