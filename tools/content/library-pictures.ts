import { contentPictureAddress } from "../../web/src/domain/content-pictures.ts";
import type { Library } from "../../web/src/domain/library-files/library.ts";
import {
  exportedPictureName,
  shownPictureFiles,
  storedPictures,
  withStoredPictures,
} from "../../web/src/domain/library-files/picture-files.ts";

function storedName(path: string): string {
  const name = exportedPictureName(path);
  if (name === null) throw new Error(`The picture ${path} has no name of the storage`);
  return name;
}

/** The text of a row: the files beside it are the stored pictures of the same name. */
export function storedText(markdown: string): string {
  return withStoredPictures(markdown, (path) => ({ name: storedName(path), size: null }));
}

/** The address of a cover, as a row names it. */
export function storedCover(path: string | null): string | null {
  return path === null ? null : contentPictureAddress(storedName(path));
}

/** Paths of the files that an article, or a course with its lessons, shows as pictures. */
export function picturePaths(work: {
  cover: string | null;
  content?: string;
  modules?: readonly { content: string }[];
}): string[] {
  const texts = [work.content ?? "", ...(work.modules ?? []).map(({ content }) => content)];
  return [...(work.cover === null ? [] : [work.cover]), ...texts.flatMap(shownPictureFiles)];
}

/** Names in the storage of all pictures that a library shows. */
export function libraryPictures(library: Library): Set<string> {
  const names = new Set<string>();
  for (const { articles, courses } of library) {
    for (const work of [...articles, ...courses]) {
      for (const path of picturePaths(work)) names.add(storedName(path));
    }
    const modules = courses.flatMap((course) => course.modules);
    for (const { content } of [...articles, ...modules]) {
      for (const name of storedPictures(content)) names.add(name);
    }
  }
  return names;
}
