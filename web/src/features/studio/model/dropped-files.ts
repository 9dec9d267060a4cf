import type { ChosenFile } from "./import-files.ts";
import { ImportError, importLimits } from "./unzip.ts";

async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return await new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** All entries of a folder. The browser gives them in batches, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return entries;
    entries.push(...batch);
  }
}

async function collect(entry: FileSystemEntry, files: ChosenFile[]): Promise<void> {
  if (files.length > importLimits.files) {
    throw new ImportError(["tooManyFiles", importLimits.files]);
  }
  if (entry.isFile) {
    const file = await fileOf(entry as FileSystemFileEntry);
    files.push({ path: entry.fullPath.replace(/^\//, ""), file });
  } else {
    for (const below of await entriesOf(entry as FileSystemDirectoryEntry)) {
      await collect(below, files);
    }
  }
}

/** What was dropped, folders with everything below them. Throws an `ImportError` when there are too many files. */
export async function droppedFiles(transfer: DataTransfer): Promise<ChosenFile[]> {
  // The list is emptied when the event is over, so every entry is taken before anything is waited for.
  const dropped = Array.from(transfer.items, (item) => ({
    entry: item.webkitGetAsEntry(),
    file: item.getAsFile(),
  }));
  const files: ChosenFile[] = [];
  for (const { entry, file } of dropped) {
    // What does not come from the disk, such as a mail's attachment, is a file without an entry.
    if (entry !== null) await collect(entry, files);
    else if (file !== null) files.push({ path: file.name, file });
  }
  return files;
}

/** Files of an input, with their paths when a folder was chosen. */
export function inputFiles(list: FileList | null): ChosenFile[] {
  return Array.from(list ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }));
}
