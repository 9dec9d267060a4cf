import { open } from "node:fs/promises";

/** Resolves once the file's content would survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves once the names in the folder would survive a power cut, as far as the system promises that at all. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } catch {
    // Some systems refuse to sync a folder; a rename is then as durable as they make it.
  } finally {
    await handle.close();
  }
}
