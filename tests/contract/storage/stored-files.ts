import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";

const searchedBytes = 4096;

async function startOf(path: string): Promise<Buffer> {
  const handle = await open(path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(searchedBytes),
      0,
      searchedBytes,
      0,
    );
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/**
 * How many files the host holds, staged or stored, with the mark among their first bytes. Looking for a mark and not
 * counting all files keeps tests that run side by side apart.
 */
export async function filesWith(mark: string): Promise<number> {
  const folder = join(inject("host").dataDir, "data", "storage");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let count = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const start = await startOf(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (start.includes(mark)) count += 1;
  }
  return count;
}
