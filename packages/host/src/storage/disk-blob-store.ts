// Keeps the bytes of stored objects on the local disk, where hosted Supabase uses S3.

import {
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ByteRange } from "../conditional-requests.ts";
import { isVersion, type BlobStore } from "./blob-store.ts";
import { fsyncFile, fsyncFolder } from "./fsync.ts";

/** No version and no folder of versions has this name. */
const markerName = "store-id";

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** Stores bytes in files `<folder>/<first two digits>/<version>`, each put in place by a rename. */
export function openDiskBlobStore(folder: string): BlobStore {
  const pathOf = (version: string) => {
    if (!isVersion(version)) throw new Error("not a version");
    return join(folder, version.slice(0, 2), version);
  };
  const place = async (version: string, temporary: string) => {
    const path = pathOf(version);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(temporary, path);
    await fsyncFolder(dirname(path));
    // A new folder is a name in the one above.
    if (made !== undefined) await fsyncFolder(folder);
  };
  return {
    put: place,
    open: async (version: string, range?: ByteRange) => {
      if (!isVersion(version)) return undefined;
      try {
        const handle = await open(pathOf(version), "r");
        return handle.createReadStream(range ?? {});
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    copy: async (from, to) => {
      const temporary = `${pathOf(to)}.new`;
      await mkdir(dirname(temporary), { recursive: true, mode: 0o700 });
      try {
        await copyFile(pathOf(from), temporary);
        await fsyncFile(temporary);
        await place(to, temporary);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    remove: async (versions) => {
      for (const version of versions) {
        if (isVersion(version)) await rm(pathOf(version), { force: true });
      }
    },
    list: async function* (before) {
      for (const prefix of await namesIn(folder)) {
        const old: string[] = [];
        for (const name of await namesIn(join(folder, prefix))) {
          const found = await stat(join(folder, prefix, name)).catch(() => undefined);
          if (found === undefined || found.mtimeMs >= before) continue;
          if (isVersion(name)) old.push(name);
          else await rm(join(folder, prefix, name), { force: true });
        }
        if (old.length > 0) yield old;
      }
    },
    readMarker: async () => {
      try {
        return (await readFile(join(folder, markerName), "utf8")).trim();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    writeMarker: async (id) => {
      const temporary = join(folder, `${markerName}.new`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(temporary, id, { mode: 0o600 });
      await fsyncFile(temporary);
      await rename(temporary, join(folder, markerName));
      await fsyncFolder(folder);
    },
    close: () => undefined,
  };
}
