/** A chosen file that is not what its name says, or that this browser cannot read. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
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

/** The largest square in the middle of a picture, in whole pixels. */
export function centredSquare(
  width: number,
  height: number,
): { left: number; top: number; side: number } {
  const side = Math.min(width, height);
  return { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), side };
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

async function draw(file: File, longestSide: number): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { width, height } = fittedSize(picture.width, picture.height, longestSide);
  const { canvas, context } = emptyCanvas(width, height);
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return canvas;
}

async function drawSquare(file: File, longestSide: number): Promise<HTMLCanvasElement> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  const { left, top, side } = centredSquare(picture.width, picture.height);
  const drawn = Math.max(1, Math.min(side, longestSide));
  const { canvas, context } = emptyCanvas(drawn, drawn);
  // A JPEG has no transparency: what shines through is white.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, drawn, drawn);
  context.drawImage(picture, left, top, side, side, 0, 0, drawn, drawn);
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

/**
 * Draws a JPG or PNG anew, upright, so that only its pixels travel: where and with what it was taken stays on
 * the device, however small it is and whatever the server does.
 * @throws {UnreadableFileError} for what cannot be drawn; nothing is ever sent as it is.
 */
export async function reencodeImage(
  file: File,
  type: "image/jpeg" | "image/png",
  { longestSide, quality, maxBytes }: ReencodeOptions,
): Promise<File> {
  try {
    const canvas = await draw(file, longestSide);
    const made = await encode(canvas, type, quality);
    if (type === "image/jpeg" || made.size <= maxBytes) {
      return new File([made], file.name, { type });
    }
    const smaller = await encode(canvas, "image/jpeg", quality);
    return new File([smaller], `${file.name.replace(/\.[a-z]+$/i, "")}.jpg`, {
      type: "image/jpeg",
    });
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError("The picture could not be drawn", { cause: error });
  }
}

/**
 * Draws the square in the middle of any picture this browser reads, upright, as a JPEG. Like
 * {@link reencodeImage}, only the pixels travel.
 * @throws {UnreadableFileError}
 */
export async function squareJpeg(
  file: File,
  { longestSide, quality }: Pick<ReencodeOptions, "longestSide" | "quality">,
): Promise<File> {
  const type = "image/jpeg";
  try {
    const made = await encode(await drawSquare(file, longestSide), type, quality);
    return new File([made], `${file.name.replace(/\.[a-z]+$/i, "")}.jpg`, { type });
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error;
    throw new UnreadableFileError("The picture could not be drawn", { cause: error });
  }
}
