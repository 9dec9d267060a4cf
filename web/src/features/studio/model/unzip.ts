import { Unzip, UnzipInflate } from "fflate";
import type { FileSource } from "@/domain/library-files/library-reader.ts";
import { importErrorStrings } from "../strings/import.ts";

/** What may be imported at once. */
export const importLimits = {
  files: 1000,
  archiveBytes: 20 * 1024 ** 2,
  /** All files together, unpacked. */
  totalBytes: 50 * 1024 ** 2,
} as const;

/** Longest text that is kept of one file. A longer one is refused by its size. */
const maxKeptBytes = 256 * 1024;
/** The same of a picture; what is sent of it is drawn anew and far smaller. */
const maxPictureBytes = 20 * 1024 ** 2;
/** How much is unpacked between two looks at the limits. Deflate makes at most 1032 bytes of one. */
const stepBytes = 16 * 1024;
const maxPathLength = 300;

/** Why nothing of a choice is imported, as the person reads it. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** The path of a file in an archive, with `/` between names; refuses one that leads out of it. */
function safePath(name: string): string {
  const path = name.replaceAll("\\", "/");
  const names = path.split("/");
  const isSafe =
    path.length <= maxPathLength &&
    !/\p{Cc}|^[a-z]:/iu.test(path) &&
    names.every((part) => part !== "" && part !== "." && part !== "..");
  if (!isSafe) throw new ImportError(importErrorStrings.archiveUnsafeName(name));
  return path;
}

/** Collects what is unpacked and stops at the first byte over a limit. */
class Collector {
  readonly files = new Map<string, FileSource>();
  failure: unknown;
  #totalBytes = 0;
  #count = 0;

  /** Throws what is wrong with the archive so far. */
  check(): void {
    if (this.failure instanceof ImportError) throw this.failure;
    if (this.failure !== undefined) {
      throw new ImportError(importErrorStrings.archiveDamaged, {
        cause: this.failure,
      });
    }
  }

  /** Takes up a file and returns what receives its bytes; null for a folder. */
  begin(name: string): ((chunk: Uint8Array, isLast: boolean) => void) | null {
    if (++this.#count > importLimits.files) {
      throw new ImportError(importErrorStrings.archiveTooManyFiles(importLimits.files));
    }
    if (name.endsWith("/")) return null;
    const path = safePath(name);
    if (this.files.has(path)) throw new ImportError(importErrorStrings.archiveTwice(path));
    const maxBytes = /\.(?:jpe?g|png|webp)$/i.test(path) ? maxPictureBytes : maxKeptBytes;
    const kept: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    return (chunk, isLast) => {
      size += chunk.length;
      this.#totalBytes += chunk.length;
      if (this.#totalBytes > importLimits.totalBytes) {
        throw new ImportError(importErrorStrings.archiveTooManyBytes);
      }
      if (size <= maxBytes) kept.push(new Uint8Array(chunk));
      if (!isLast) return;
      const content = new Blob(kept);
      this.files.set(path, { size, arrayBuffer: async () => await content.arrayBuffer() });
    };
  }
}

/**
 * The files of a zip archive. It is unpacked in steps, so that a small archive of endless files is stopped at the limits.
 * @throws {ImportError} when it is too large, damaged, or has unsafe names.
 */
export async function unzipFiles(archive: Blob): Promise<Map<string, FileSource>> {
  if (archive.size > importLimits.archiveBytes) {
    throw new ImportError(importErrorStrings.archiveTooLarge);
  }
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const collector = new Collector();
  const unzip = new Unzip((entry) => {
    try {
      const receive = collector.begin(entry.name);
      // An error thrown in here would come back as an error of the archive.
      entry.ondata = (error, chunk, isLast) => {
        if (collector.failure !== undefined) return;
        try {
          if (error) throw error;
          receive?.(chunk, isLast);
        } catch (failure) {
          collector.failure = failure;
        }
      };
      entry.start();
    } catch (failure) {
      collector.failure ??= failure;
    }
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += stepBytes) {
    try {
      unzip.push(bytes.subarray(at, at + stepBytes), at + stepBytes >= bytes.length);
    } catch (failure) {
      collector.failure ??= failure;
    }
    collector.check();
  }
  if (collector.files.size === 0) throw new ImportError(importErrorStrings.archiveEmpty);
  return collector.files;
}
