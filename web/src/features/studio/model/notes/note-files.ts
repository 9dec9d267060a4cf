import { withoutTrailing } from "@/lib/without-trailing.ts";
import type { FileSource, FileSources } from "@/domain/library-files/library-reader.ts";
import { folderOf, isMarkdown, isPicture, fileNameIn } from "../import-paths.ts";

/** A name as it is compared: whatever its case, its accents are written and its spaces are. */
function keyOf(path: string): string {
  return path
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A path from a folder, without `.` and `..`; null when it leads out of the import. */
function resolved(folder: string, path: string): string | null {
  const names = path.startsWith("/") || folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return null;
    } else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/");
}

const notionNumber = /[ _-][0-9a-f]{32}$/i;

/** Whether Notion wrote a note, by the number in its name. */
export function isOfNotion(path: string): boolean {
  return notionNumber.test(fileNameIn(path).replace(/\.\w+$/, ""));
}

/** The name of a note without its ending and the number that Notion puts after it. */
export function noteName(path: string): string {
  return fileNameIn(path)
    .replace(/\.\w+$/, "")
    .replace(notionNumber, "");
}

/** The files of an import, found by what notes call them. */
export class NoteFiles {
  readonly #files: FileSources;
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();

  constructor(files: FileSources) {
    this.#files = files;
    for (const path of files.keys()) {
      this.#byPath.set(keyOf(path), path);
      const names = isMarkdown(path) ? [fileNameIn(path), noteName(path)] : [fileNameIn(path)];
      for (const name of new Set(names.map(keyOf))) {
        this.#byName.set(name, [...(this.#byName.get(name) ?? []), path]);
      }
    }
  }

  source(path: string): FileSource | undefined {
    return this.#files.get(path);
  }

  /** Files whose path is, or ends with, the given one; the nearest to the note first. */
  #candidates(address: string, from: string): string[] {
    const folder = folderOf(from);
    for (const written of new Set([decoded(address), address])) {
      const path = resolved(folder, written);
      const exact = path === null ? undefined : this.#byPath.get(keyOf(path));
      if (exact !== undefined) return [exact];
    }
    const wanted = keyOf(decoded(address)).replace(/^(?:\.{0,2}\/)+/, "");
    const named = this.#byName.get(fileNameIn(wanted)) ?? [];
    const shared = (path: string) => {
      const [a, b] = [folder.split("/"), folderOf(path).split("/")];
      const index = a.findIndex((name, at) => name !== b[at]);
      return index < 0 ? a.length : index;
    };
    const near = named.toSorted((a, b) => shared(b) - shared(a) || a.length - b.length);
    const endings = (path: string) => [path, `${folderOf(path)}/${noteName(path)}`].map(keyOf);
    const suffix = near.filter((path) =>
      endings(path).some((each) => `/${each}`.endsWith(`/${wanted}`)),
    );
    return suffix.length > 0 ? suffix : near;
  }

  /** The path of the picture that a note names; null when the import has none. */
  picture(address: string, from: string): string | null {
    const path = address.split(/[?#]/, 1)[0] ?? "";
    return (
      this.#candidates(path, from).find(isPicture) ??
      this.#candidates(address, from).find(isPicture) ??
      null
    );
  }

  /** The path of the note that a link names, with or without its ending; null when the import has none. */
  note(address: string, from: string): string | null {
    const path = (address.split("#", 1)[0] ?? "").trim();
    if (path === "") return null;
    return (
      this.#candidates(path, from).find((found) => isMarkdown(found) && found !== from) ?? null
    );
  }
}

/** Gives the pictures of one draft names that its text can hold, each once. */
export class DraftPictures {
  readonly files = new Map<string, FileSource>();
  readonly #named = new Map<string, string>();

  /** The address of a picture in the draft's text: its own where that can stand there. */
  add(path: string, source: FileSource): string {
    const known = this.#named.get(path);
    if (known !== undefined) return known;
    const [, stem = "", ending = ""] = /^(.*)(\.\w+)$/.exec(fileNameIn(path)) ?? [];
    const plain = /^[\w-][\w.-]*$/.test(stem)
      ? stem
      : withoutTrailing(
          stem
            .normalize("NFKD")
            .replaceAll(/\p{M}/gu, "")
            .replaceAll(/[^\w-]+/g, "-")
            .replace(/^-+/, ""),
          "-",
        ) || "picture";
    let address = `pictures/${plain}${ending}`;
    for (let count = 2; this.files.has(address); count++) {
      address = `pictures/${plain}-${count}${ending}`;
    }
    this.files.set(address, source);
    this.#named.set(path, address);
    return address;
  }
}
