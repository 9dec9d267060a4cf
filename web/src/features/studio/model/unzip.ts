import type * as ZipLibrary from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { FileSource } from "@/domain/library-files/library-reader.ts";
import { asLink, isArchive, isIgnored, isMarkdown, isPicture } from "./import-paths.ts";

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
const maxPathLength = 300;

/** Why nothing of a choice is imported, by its code: the values that its sentence names. The sentences are in `strings/import.ts`. */
interface ImportRefusalValues {
  tooManyFiles: [max: number];
  tooManyBytes: [];
  chosenTwice: [name: string];
  archiveTooLarge: [];
  archiveTooManyFiles: [max: number];
  archiveTooManyBytes: [];
  archiveUnsafeName: [name: string];
  archiveTwice: [path: string];
  archiveDamaged: [];
  archiveProtected: [];
  archivePacking: [];
  archiveNone: [];
  archiveEmpty: [];
}

type Code = keyof ImportRefusalValues;

/** A code, and the values of its sentence. */
export type ImportRefusal = {
  [Each in Code]: readonly [code: Each, ...values: ImportRefusalValues[Each]];
}[Code];

/** The sentences, by code. */
export type ImportRefusalSentences = {
  readonly [Each in Code]: (...values: ImportRefusalValues[Each]) => string;
};

/** Nothing of a choice is imported. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  readonly refusal: ImportRefusal;

  constructor(refusal: ImportRefusal, options?: ErrorOptions) {
    super(refusal.join(": "), options);
    this.refusal = refusal;
  }
}

type Files = Map<string, FileSource>;
type ZipCore = typeof ZipLibrary;

/**
 * The path of a file in an archive, with `/` between names and letters composed; refuses one that leads out of it.
 * Windows and macOS write `./` before names.
 */
function safePath(name: string): string {
  const path = name.replaceAll("\\", "/").normalize("NFC");
  const names = path.split("/").filter((part) => part !== ".");
  const isSafe =
    path.length <= maxPathLength &&
    !/\p{Cc}|^[a-z]:/iu.test(path) &&
    names.length > 0 &&
    names.every((part) => part !== "" && part !== "..");
  if (!isSafe) throw new ImportError(["archiveUnsafeName", name]);
  return names.join("/");
}

/** Counts what is unpacked, of nested archives as well. */
class Budget {
  #bytes = 0;
  #files = 0;

  addFile(): void {
    if (++this.#files > importLimits.files) {
      throw new ImportError(["archiveTooManyFiles", importLimits.files]);
    }
  }

  addBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > importLimits.totalBytes) {
      throw new ImportError(["archiveTooManyBytes"]);
    }
  }
}

/** Unpacks one file, whatever the archive says of its size, and stops at the first byte over a limit. */
async function unpack(
  entry: ZipLibrary.FileEntry,
  path: string,
  budget: Budget,
): Promise<FileSource> {
  const maxBytes = isPicture(path) || isArchive(path) ? maxPictureBytes : maxKeptBytes;
  const kept: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let failure: ImportError | undefined;
  const take = new WritableStream<Uint8Array>({
    write(chunk) {
      size += chunk.length;
      try {
        budget.addBytes(chunk.length);
      } catch (error) {
        if (error instanceof ImportError) failure = error;
        throw error;
      }
      if (size <= maxBytes) kept.push(new Uint8Array(chunk));
    },
  });
  try {
    await entry.getData(take, { useWebWorkers: false, checkCrc32: true, strictness: "tolerant" });
  } catch (error) {
    throw failure ?? error;
  }
  const content = new Blob(kept);
  return { size, arrayBuffer: async () => await content.arrayBuffer() };
}

/** What is no Markdown, no picture and no archive is only named, so it is not unpacked. */
const notUnpacked: FileSource = {
  size: 0,
  arrayBuffer: async () => await Promise.resolve(new ArrayBuffer(0)),
};

/** The error of a person's archive: a sentence for each of the library's that a person can do something about. */
function toImportError(error: unknown, core: ZipCore, bytes: Uint8Array): ImportError {
  if (error instanceof ImportError) return error;
  const message = error instanceof Error ? error.message : "";
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  switch (message) {
    case core.ERR_ENCRYPTED:
    case core.ERR_UNSUPPORTED_ENCRYPTION:
    case core.ERR_ENCRYPTED_CENTRAL_DIRECTORY:
      return new ImportError(["archiveProtected"], { cause: error });
    case core.ERR_UNSUPPORTED_COMPRESSION:
      return new ImportError(["archivePacking"], { cause: error });
    default:
      return new ImportError([isZip ? "archiveDamaged" : "archiveNone"], { cause: error });
  }
}

/** A name as UTF-8 where it is that, also when the archive does not say so; the library reads others in the code page of DOS. */
function decodeName(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The files that the directory at the end of an archive lists; local headers are only used to find their bytes. */
async function listed(core: ZipCore, bytes: Uint8Array, budget: Budget): Promise<Files> {
  const reader = new core.ZipReader(new core.Uint8ArrayReader(bytes), {
    strictness: "tolerant",
    filenameValidation: "tolerant",
    useWebWorkers: false,
    decodeText: decodeName,
  });
  const files: Files = new Map();
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      // The last are folders, and what the Finder calls the picture of a folder.
      if (entry.directory || /[/\\]$|(?:^|\/)Icon\r$/.test(entry.filename)) continue;
      const path = safePath(entry.filename);
      if (isIgnored(path)) continue;
      budget.addFile();
      if (files.has(path)) throw new ImportError(["archiveTwice", path]);
      if (entry.symlink) {
        // Its bytes are a path, not the file that it stands for. It is named, as nothing that is taken.
        files.set(asLink(path), notUnpacked);
        continue;
      }
      if (entry.encrypted) throw new ImportError(["archiveProtected"]);
      const isWanted = isMarkdown(path) || isPicture(path) || isArchive(path);
      files.set(path, isWanted ? await unpack(entry, path, budget) : notUnpacked);
    }
  } catch (error) {
    throw toImportError(error, core, bytes);
  }
  return files;
}

/**
 * Opens the archives in an archive that holds no Markdown of its own, as exports of Notion are; others are attachments.
 * Their files take the place of theirs, or a folder of their name where a name is taken.
 */
async function opened(core: ZipCore, files: Files, budget: Budget): Promise<Files> {
  if ([...files.keys()].some(isMarkdown)) return files;
  const all: Files = new Map();
  for (const [path, source] of files) {
    if (!isArchive(path)) {
      all.set(path, source);
      continue;
    }
    if (source.size > importLimits.archiveBytes) {
      throw new ImportError(["archiveTooLarge"]);
    }
    const inner = await listed(core, new Uint8Array(await source.arrayBuffer()), budget);
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const isTaken = [...inner.keys()].some((name) => all.has(folder + name));
    const start = isTaken ? `${path.slice(0, -".zip".length)}/` : folder;
    for (const [name, file] of inner) all.set(start + name, file);
  }
  return all;
}

/**
 * The files of a zip archive, and of archives in one that holds nothing else. What it says of its sizes is not believed: a small
 * archive of endless files is stopped at the limits.
 * @throws {ImportError} when it is too large, damaged, protected, or has unsafe names.
 */
export async function unzipFiles(archive: Blob): Promise<Map<string, FileSource>> {
  if (archive.size > importLimits.archiveBytes) {
    throw new ImportError(["archiveTooLarge"]);
  }
  const core = await import("@zip.js/zip.js/lib/zip-core-custom.js");
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const budget = new Budget();
  const files = await opened(core, await listed(core, bytes, budget), budget);
  if (files.size === 0) throw new ImportError(["archiveEmpty"]);
  return files;
}
