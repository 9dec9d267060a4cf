import { extensionOf } from "@/lib/file-extension.ts";
import { maxSentPictureBytes } from "@/lib/picture-file.ts";
import { redrawImage, type RedrawnImage } from "@/lib/reencode-image.ts";

/** Longest description the database accepts, in characters. */
export const maxAltLength = 300;
/** The text of a message that was sent with a picture alone, as the database writes it. */
const pictureOnlyText = "Picture";
/** Pixels; larger pictures are made smaller before they travel. */
const longestSide = 1600;
const jpegQuality = 0.86;

/** A picture that is being sent. */
export interface OutgoingPicture extends RedrawnImage {
  /** What it shows; may be empty. */
  readonly alt: string;
}

/** A picture as a message shows it. */
export interface MessagePicture {
  /** Name of the stored object; null until the message is saved. */
  readonly name: string | null;
  /** The picture itself, where it was sent from this page. */
  readonly file: File | null;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** What it shows; may be empty. */
  readonly alt: string;
}

/**
 * Draws a chosen picture anew, so that metadata such as the location is not sent. A PNG stays one, everything else becomes
 * a JPEG.
 * @throws {UnreadableFileError}
 */
export async function prepareMessagePicture(file: File): Promise<RedrawnImage> {
  const isPng = extensionOf(file, { png: "image/png" }) !== null;
  return redrawImage(file, isPng ? "image/png" : "image/jpeg", {
    longestSide,
    quality: jpegQuality,
    // A PNG that would be larger travels as a JPEG.
    maxBytes: maxSentPictureBytes,
  });
}

/** `<author>-<message>.<jpg|png>`: the database takes the picture of a message under no other name. */
export function messagePictureName(authorId: string, messageId: string, file: File): string {
  return `${authorId}-${messageId}.${file.type === "image/png" ? "png" : "jpg"}`;
}

/** The text beside the picture of a message; empty when it was sent without one. */
export function captionOf({
  content,
  picture,
}: {
  readonly content: string;
  readonly picture: MessagePicture | null;
}): string {
  return picture !== null && content === pictureOnlyText ? "" : content;
}

/** A picture that is known from an answer, with the file this page has sent. */
export function withKnownFile(
  answered: MessagePicture | null | undefined,
  before: MessagePicture | null,
): MessagePicture | null {
  if (answered === undefined) return before;
  if (answered === null || answered.file !== null || before?.name !== answered.name)
    return answered;
  return { ...answered, file: before.file };
}

/** Pixels of the largest place a picture has in the list. */
const maxBox = { width: 420, height: 320 } as const;
/** Narrower and wider pictures are cut at their ends; the large view shows them whole. */
const ratios = { narrowest: 0.5, widest: 3 } as const;
const minBoxWidth = 64;

/** The place a picture has in the list, in pixels: known before it is loaded, so that nothing jumps. */
export function pictureBox({ width, height }: Pick<MessagePicture, "width" | "height">): {
  readonly width: number;
  readonly ratio: number;
} {
  const ratio = Math.min(ratios.widest, Math.max(ratios.narrowest, width / height));
  const fitting = Math.min(width, maxBox.width, maxBox.height * ratio);
  return { width: Math.round(Math.max(minBoxWidth, fitting)), ratio };
}
