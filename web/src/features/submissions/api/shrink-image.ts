import { fittedSize, imageType } from "../model/image.ts";

const jpegQuality = 0.86;

/**
 * Makes a large picture smaller before it travels; it stays JPG or PNG. A picture that is small
 * enough, or that this browser cannot draw, is sent as it is: the server looks at it in any case.
 */
export async function shrinkImage(file: File): Promise<File> {
  try {
    const drawn = await createImageBitmap(file, { imageOrientation: "from-image" });
    const { width, height } = fittedSize(drawn.width, drawn.height);
    if (width === drawn.width && height === drawn.height) return file;
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d");
    if (context === null) return file;
    context.imageSmoothingQuality = "high";
    context.drawImage(drawn, 0, 0, width, height);
    drawn.close();
    const type = imageType(file);
    const made = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, type, jpegQuality),
    );
    return made === null || made.type !== type ? file : new File([made], file.name, { type });
  } catch {
    return file;
  }
}
