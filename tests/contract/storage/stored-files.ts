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

/** All files below a folder. The S3 server removes folders that it has emptied, also while they are read. */
async function filesBelow(folder: string): Promise<string[]> {
  for (;;) {
    try {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || path === folder) throw error;
    }
  }
}

/**
 * How many files the host holds, staged or stored, with the mark among their first bytes. Looking for a mark and not
 * counting all files keeps tests that run side by side apart.
 */
export async function filesWith(mark: string): Promise<number> {
  const { dataDir, bucketFolder } = inject("host");
  const paths = await filesBelow(join(dataDir, "data", "storage"));
  if (bucketFolder !== undefined) paths.push(...(await filesBelow(bucketFolder)));
  let count = 0;
  for (const path of paths) {
    const start = await startOf(path).catch(() => Buffer.alloc(0));
    if (start.includes(mark)) count += 1;
  }
  return count;
}
