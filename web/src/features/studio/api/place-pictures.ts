import {
  contentPictureAddress,
  contentPictureBucket,
  type TextPicture,
} from "@/domain/content-pictures.ts";
import type { FileSource } from "@/domain/library-files/library-reader.ts";
import { exportedPictureName, withStoredPictures } from "@/domain/library-files/picture-files.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { UnreadableFileError } from "@/lib/reencode-image.ts";
import type { DraftContent } from "../model/draft.ts";
import type { ImportItem } from "../model/import-files.ts";
import { prepareTextPicture } from "../model/text-picture.ts";
import { storePicture } from "./store-picture.ts";

/** Pictures that were stored already, by their file, so that an import that is repeated stores none twice. */
export type PlacedPictures = Map<FileSource, TextPicture>;

/**
 * Stores the pictures of an import among the caller's own, and names them in the texts. What was exported here and is still stored keeps its name.
 * @throws {UnreadableFileError} and the storage's errors
 */
export async function placePictures(
  client: BackendClient,
  userId: string,
  { pictures }: Pick<ImportItem, "pictures">,
  content: DraftContent,
  placed: PlacedPictures,
): Promise<DraftContent> {
  const byPath = new Map<string, TextPicture>();
  for (const [path, file] of pictures) {
    const picture = placed.get(file) ?? (await placeOne(client, userId, path, file));
    placed.set(file, picture);
    byPath.set(path, picture);
  }
  const storedAs = (path: string): TextPicture => {
    const picture = byPath.get(path);
    if (picture === undefined) throw new Error(`The picture ${path} is not among the files`);
    return picture;
  };
  return {
    ...content,
    content: withStoredPictures(content.content, storedAs),
    modules: content.modules.map((module) => ({
      ...module,
      content: withStoredPictures(module.content, storedAs),
    })),
    cover: content.cover === null ? null : contentPictureAddress(storedAs(content.cover).name),
  };
}

async function placeOne(
  client: BackendClient,
  userId: string,
  path: string,
  source: FileSource,
): Promise<TextPicture> {
  const exported = exportedPictureName(path);
  if (exported?.startsWith(`${userId}-`) === true && (await isStored(client, exported))) {
    return { name: exported, size: null };
  }
  // Reading the type from the name is enough: the picture is drawn anew.
  const type = path.toLowerCase().endsWith(".png") ? "image/png" : "";
  const file = new File([await source.arrayBuffer()], path.slice(path.lastIndexOf("/") + 1), {
    type,
  });
  const {
    file: redrawn,
    width,
    height,
  } = await prepareTextPicture(file).catch((error: unknown) => {
    throw error instanceof UnreadableFileError ? ofPicture(path, error) : error;
  });
  return { name: await storePicture(client, userId, redrawn), size: { width, height } };
}

/** The same error, with the path of the picture it is about. */
function ofPicture(path: string, error: UnreadableFileError): UnreadableFileError {
  return new UnreadableFileError(error.message, { cause: error, advice: error.advice, path });
}

async function isStored(client: BackendClient, name: string): Promise<boolean> {
  const { data, error } = await client.storage
    .from(contentPictureBucket)
    .list("", { search: name, limit: 1 });
  if (error) throw error;
  return data.some((found) => found.name === name);
}
