import { explainUnreadablePicture } from "./unreadable-picture.ts";

/** A chosen file that is not what its name says, or that this browser cannot read. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
  /** What the file is instead and what to do, as the person reads it; null when that is not known. */
  readonly advice: string | null;
  /** Which of several files it is; null where only one was chosen. */
  readonly path: string | null;

  constructor(
    message: string,
    options: ErrorOptions & {
      readonly advice?: string | null;
      readonly path?: string | null;
    } = {},
  ) {
    super(message, options);
    this.advice = options.advice ?? null;
    this.path = options.path ?? null;
  }
}

/** What to say about a chosen file: what it is instead where that is known, else the text of the form. */
export function unreadableFileText(error: unknown, otherwise: string): string {
  return (error instanceof UnreadableFileError ? error.advice : null) ?? otherwise;
}

/** The error of a picture that could not be drawn. */
async function toUnreadable(file: Blob, error: unknown): Promise<UnreadableFileError> {
  if (error instanceof UnreadableFileError) return error;
  const advice = await explainUnreadablePicture(file).catch(() => null);
  return new UnreadableFileError("The picture could not be drawn", { cause: error, advice });
}

/** How a picture travels. */
export interface ReencodeOptions {
  /** Pixels of the longer side; larger pictures are made smaller. */
  readonly longestSide: number;
  /** Of a JPEG, 0 to 1. */
  readonly quality: number;
  /** Bytes. A PNG that would be larger travels as a JPEG. */
  readonly maxBytes: number;
}

/** The size in which a picture travels, in whole pixels, keeping its proportions. */
export function fittedSize(
  width: number,
  height: number,
  longestSide: number,
): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height, 1));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Which part of a picture stays. */
export interface Crop {
  /** Width divided by height. */
  readonly ratio: number;
  /** Where the part lies along the side that is cut: 0 is left or top, 1 right or bottom. */
  readonly position: number;
}

/** The largest part of a picture that has the crop's proportions, in whole pixels. */
export function croppedArea(
  width: number,
  height: number,
  { ratio, position }: Crop,
): { left: number; top: number; width: number; height: number } {
  const part = {
    width: Math.max(1, Math.min(width, Math.round(height * ratio))),
    height: Math.max(1, Math.min(height, Math.round(width / ratio))),
  };
  return {
    left: Math.floor((width - part.width) * position),
    top: Math.floor((height - part.height) * position),
    ...part,
  };
}

function emptyCanvas(width: number, height: number) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (context === null) throw new UnreadableFileError("This browser cannot draw");
  context.imageSmoothingQuality = "high";
  return { canvas, context };
}

/** A JPEG has no transparency: what shines through is white. */
function paintWhite(context: CanvasRenderingContext2D, width: number, height: number): void {
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
}

async function draw(
  file: File,
  longestSide: number,
  type: "image/jpeg" | "image/png",
): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { width, height } = fittedSize(picture.width, picture.height, longestSide);
  const { canvas, context } = emptyCanvas(width, height);
  if (type === "image/jpeg") paintWhite(context, width, height);
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return canvas;
}

async function drawCropped(
  file: File,
  longestSide: number,
  crop: Crop,
): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const area = croppedArea(picture.width, picture.height, crop);
  const { width, height } = fittedSize(area.width, area.height, longestSide);
  const { canvas, context } = emptyCanvas(width, height);
  paintWhite(context, width, height);
  context.drawImage(picture, area.left, area.top, area.width, area.height, 0, 0, width, height);
  picture.close();
  return canvas;
}

async function encode(
  canvas: HTMLCanvasElement,
  type: "image/jpeg" | "image/png",
  quality: number,
): Promise<Blob> {
  const made = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (made?.type !== type) throw new UnreadableFileError("This browser cannot write the picture");
  return made;
}

/** A picture drawn anew, and its size in pixels. */
export interface RedrawnImage {
  readonly file: File;
  readonly width: number;
  readonly height: number;
}

/**
 * Draws a picture anew, upright, so that only its pixels travel: where and with what it was taken stays on
 * the device, however small it is and whatever the server does.
 * @throws {UnreadableFileError} for what cannot be drawn; nothing is ever sent as it is.
 */
export async function redrawImage(
  file: File,
  type: "image/jpeg" | "image/png",
  { longestSide, quality, maxBytes }: ReencodeOptions,
): Promise<RedrawnImage> {
  try {
    const canvas = await draw(file, longestSide, type);
    const { width, height } = canvas;
    const made = await encode(canvas, type, quality);
    if (type === "image/jpeg" || made.size <= maxBytes) {
      return { file: new File([made], file.name, { type }), width, height };
    }
    const smaller = await encode(canvas, "image/jpeg", quality);
    const name = `${file.name.replace(/\.[a-z]+$/i, "")}.jpg`;
    return { file: new File([smaller], name, { type: "image/jpeg" }), width, height };
  } catch (error) {
    throw await toUnreadable(file, error);
  }
}

/**
 * Draws a JPG or PNG anew, like {@link redrawImage}, where its size does not matter.
 * @throws {UnreadableFileError}
 */
export async function reencodeImage(
  file: File,
  type: "image/jpeg" | "image/png",
  options: ReencodeOptions,
): Promise<File> {
  return (await redrawImage(file, type, options)).file;
}

/**
 * Draws a part of any picture this browser reads, upright, as a JPEG. Like {@link redrawImage}, only the pixels travel.
 * @throws {UnreadableFileError}
 */
export async function croppedJpeg(
  file: File,
  { longestSide, quality, ...crop }: Pick<ReencodeOptions, "longestSide" | "quality"> & Crop,
): Promise<File> {
  const type = "image/jpeg";
  try {
    const made = await encode(await drawCropped(file, longestSide, crop), type, quality);
    return new File([made], `${file.name.replace(/\.[a-z]+$/i, "")}.jpg`, { type });
  } catch (error) {
    throw await toUnreadable(file, error);
  }
}
