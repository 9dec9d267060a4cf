/** Whether a file is Markdown by its name. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown|mdown|mkdn?|mkd)$/i.test(path);
}

/** Whether a file is a picture that can be stored, by its name. */
export function isPicture(path: string): boolean {
  return /\.(?:jpe?g|png|webp)$/i.test(path);
}

export function isArchive(path: string): boolean {
  return /\.zip$/i.test(path);
}

/** What systems and apps keep beside a person's files: names that begin with a dot, and macOS's own folder. */
export function isIgnored(path: string): boolean {
  return path
    .split("/")
    .some((name) => name.startsWith(".") || name === "__MACOSX" || name === "Thumbs.db");
}

/** The folder of a file, without a final `/`; empty at the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The last name of a path. */
export function fileNameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** No file has it in its name, so a link among the files is taken for none of the kinds above. */
const linkMark = "\0";

/** The path of a link in an archive: it is listed, but what it leads to is not in the archive. */
export function asLink(path: string): string {
  return path + linkMark;
}

/** The path of a link; null for the path of a file. */
export function linkPath(path: string): string | null {
  return path.endsWith(linkMark) ? path.slice(0, -linkMark.length) : null;
}
