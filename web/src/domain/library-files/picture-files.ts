import {
  contentPictureAddress,
  contentPictureName,
  textPictureAddress,
  toTextPicture,
  type TextPicture,
} from "../content-pictures.ts";

/** The folder beside a text that holds its pictures. */
export const picturesFolder = "pictures";

/** A picture beside a text, and the size its text gives it. */
const pictureFile =
  /^(pictures\/[\w-][\w.-]*\.(?:jpe?g|png|webp))(?:#([1-9]\d{0,3})x([1-9]\d{0,3}))?$/i;
/** An image as the editor writes it: what stands before the address, the address, and the end. */
const image = /(!\[[^\][\\`<>\n]*\]\()([^\s()<>]+)(\))/g;

/** The path of the picture that an address names, relative to its text; null for an address that is none of a file. */
export function pictureFilePath(address: string): string | null {
  return pictureFile.exec(address)?.[1] ?? null;
}

/** The file beside a text that holds a stored picture. */
export function pictureFileOf(name: string): string {
  return `${picturesFolder}/${name}`;
}

/** A text whose stored pictures are files beside it, and a cover as one. */
export function withPictureFiles(markdown: string): string {
  return markdown.replaceAll(image, (raw, start: string, address: string, end: string) => {
    const picture = toTextPicture(address);
    if (picture === null) return raw;
    const size = picture.size === null ? "" : `#${picture.size.width}x${picture.size.height}`;
    return `${start}${pictureFileOf(picture.name)}${size}${end}`;
  });
}

/** Names of the stored pictures that a text shows. */
export function storedPictures(markdown: string): string[] {
  return [...markdown.matchAll(image)].flatMap(([, , address]) => {
    const picture = toTextPicture(address);
    return picture === null ? [] : [picture.name];
  });
}

/** Paths of the files beside a text whose pictures it shows. */
export function shownPictureFiles(markdown: string): string[] {
  return [...markdown.matchAll(image)].flatMap(([, , address]) => {
    const path = pictureFilePath(address ?? "");
    return path === null ? [] : [path];
  });
}

/** A text whose files beside it are stored pictures. `storedAs` knows every one of them. */
export function withStoredPictures(
  markdown: string,
  storedAs: (path: string) => TextPicture,
): string {
  return markdown.replaceAll(image, (raw, start: string, address: string, end: string) => {
    const [, path, width, height] = pictureFile.exec(address) ?? [];
    if (path === undefined) return raw;
    const { name, size } = storedAs(path);
    const written = width === undefined ? null : { width: Number(width), height: Number(height) };
    return `${start}${textPictureAddress({ name, size: size ?? written })}${end}`;
  });
}

/** Name in the bucket of a file that an export wrote; null for other files. */
export function exportedPictureName(path: string): string | null {
  return contentPictureName(contentPictureAddress(path.slice(picturesFolder.length + 1)));
}
