import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";
import type { Library, LibraryIssue } from "../../web/src/domain/library-files/library.ts";
import { exportedPictureName } from "../../web/src/domain/library-files/picture-files.ts";
import { picturePaths } from "./library-pictures.ts";
import {
  LibraryReader,
  type ReadLibrary,
  type FileSource,
} from "../../web/src/domain/library-files/library-reader.ts";

const installed = createRequire(import.meta.url);

function isIcon(name: string): boolean {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return false;
  try {
    return installed.resolve(`lucide-react/icons/${name}`) !== "";
  } catch {
    return false;
  }
}

/** Every file below a folder. Each is read when its text is needed. */
async function filesBelow(root: string): Promise<Map<string, FileSource>> {
  const files = new Map<string, FileSource>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    files.set(relative(root, path).replaceAll(sep, "/"), {
      size: (await stat(path)).size,
      arrayBuffer: async () => new Uint8Array(await readFile(path)).buffer,
    });
  }
  return files;
}

/** Pictures are told apart by their names in the storage, which the export of the studio gives their files. */
function pictureIssues(library: Library): LibraryIssue[] {
  return library.flatMap(({ main_category: category, slug: shelf, articles, courses }) =>
    [...articles, ...courses].flatMap((work) =>
      picturePaths(work)
        .filter((path) => exportedPictureName(path) === null)
        .map((path) => ({
          file: `${category}/${shelf}/${"modules" in work ? `courses/${work.slug}/_course` : work.slug}.md`,
          line: 1,
          message: `\`${path}\` is not named as the studio's export names pictures; import this text in the studio.`,
        })),
    ),
  );
}

/** Reads a library from a folder and checks all of it. */
export async function readLibrary(root: string): Promise<ReadLibrary> {
  const info = await stat(root).catch(() => undefined);
  if (info?.isDirectory() !== true) {
    return { library: [], issues: [{ file: ".", line: 1, message: "There is no such folder." }] };
  }
  const reader = new LibraryReader(await filesBelow(root), isIcon);
  const library = await reader.read();
  return { library, issues: [...reader.issues, ...pictureIssues(library)] };
}
