/** The public bucket of the pictures of articles and courses. */
export const contentPictureBucket = "content-pictures";

const pathOfBucket = `/storage/v1/object/public/${contentPictureBucket}/`;
const namePattern = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\\d{1,20}\\.(?:jpg|png)";
const sizePattern = "#([1-9]\\d{0,3})x([1-9]\\d{0,3})";
const wholeName = new RegExp(`^${namePattern}$`);
const wholeAddress = new RegExp(`^${pathOfBucket}(${namePattern})(?:${sizePattern})?$`);

/** The address by which an article or a course names its picture. It has no origin, so that it stays right when the server moves. */
export function contentPictureAddress(name: string): string {
  return `${pathOfBucket}${name}`;
}

/** Name in the bucket of the picture that an address names; null for other addresses. */
export function contentPictureName(address: string | null): string | null {
  if (address?.startsWith(pathOfBucket) !== true) return null;
  const name = address.slice(pathOfBucket.length);
  return wholeName.test(name) ? name : null;
}

/** A picture inside a text. */
export interface TextPicture {
  /** Name in the bucket. */
  readonly name: string;
  /** Pixels; null when the text does not say. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/** Longest description of a picture that the database publishes, in characters. */
export const maxPictureDescription = 300;

/** The address by which a text names a picture: its size follows `#`, so that its place is kept free while it loads. */
export function textPictureAddress({ name, size }: TextPicture): string {
  const pixels = size === null ? "" : `#${size.width}x${size.height}`;
  return `${contentPictureAddress(name)}${pixels}`;
}

/** The picture that an address in a text names; null for every address but those of the bucket. */
export function toTextPicture(address: string | null | undefined): TextPicture | null {
  const [, name, width, height] = wholeAddress.exec(address ?? "") ?? [];
  if (name === undefined) return null;
  const isSized = width !== undefined && height !== undefined;
  return { name, size: isSized ? { width: Number(width), height: Number(height) } : null };
}

/**
 * A description without what Markdown or HTML could read as the end of it, on one line: the database takes no other
 * (`private.text_picture_pattern`).
 */
export function pictureDescription(text: string): string {
  return text
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll("`", "’")
    .replaceAll("\\", "/")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The image with which a text begins, as the editor writes images; null when it begins with none, or one written otherwise. */
export function imageAtStart(
  markdown: string,
): { readonly raw: string; readonly description: string; readonly address: string } | null {
  const [raw, description = "", address] =
    /^!\[([^\][\\`<>\n]*)\]\(([^\s()<>]+)\)/.exec(markdown) ?? [];
  return raw === undefined || address === undefined ? null : { raw, description, address };
}
