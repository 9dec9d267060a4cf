import { chosenFiles, readImport } from "../model/import-files.ts";
import { ImportError } from "../model/unzip.ts";
import { importRefusalText } from "../strings/import.ts";
import { noteMessageText } from "../strings/import-notes.ts";

/** A file of a test. */
export type Content = string | Uint8Array<ArrayBuffer>;

/** What the page would find in files. */
export async function found(files: Readonly<Record<string, Content>>) {
  const chosen = Object.entries(files).map(([path, content]) => ({
    path,
    file: new File([content], path),
  }));
  const { items, leftOut } = await readImport(await chosenFiles(chosen));
  return { items, leftOut };
}

/** One note of an import, with what is said of it. */
export async function note(
  path: string,
  content: Content,
  others: Readonly<Record<string, Content>> = {},
) {
  const { items, leftOut } = await found({ [path]: content, ...others });
  const item = items.find((each) => each.path === path);
  if (item === undefined) throw new Error(`${path} was not found`);
  return {
    draft: item.content,
    issues: item.issues.map(({ line, message }) => `${line}: ${noteMessageText(message)}`),
    changes: item.changes.map(({ line, message }) => `${line}: ${noteMessageText(message)}`),
    pictures: [...item.pictures.keys()],
    leftOut,
  };
}

/** Why a choice is refused, as the person reads it. */
export async function refusalOf(taken: Promise<unknown>): Promise<string> {
  const error = await taken.then(
    () => new Error("it was taken"),
    (refused: unknown) => refused,
  );
  if (!(error instanceof ImportError)) throw error;
  return importRefusalText(error.refusal);
}
