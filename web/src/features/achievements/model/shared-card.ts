import * as z from "zod/mini";

/** The words of a shared card, and its picture as SVG. */
export const sharedCardSchema = z.object({
  card: z.nullable(
    z.object({ name: z.string(), title: z.string(), line: z.string(), day: z.string() }),
  ),
  svg: z.nullable(z.string()),
});

export type SharedCard = z.infer<typeof sharedCardSchema>;

/** What of one's own is shared: an achievement by its key, or a certificate by its id. */
export type ShareSubject =
  | { readonly achievement: string; readonly title: string }
  | { readonly certificateId: string; readonly title: string };

const pictureSize = { width: 1200, height: 630 } as const;

/**
 * Draws the server's SVG as a PNG. As a picture, SVG runs no script and loads nothing.
 * @throws {Error} when the browser cannot draw it.
 */
export async function toPng(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const picture = new Image(pictureSize.width, pictureSize.height);
    picture.src = address;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = pictureSize.width;
    canvas.height = pictureSize.height;
    canvas.getContext("2d")?.drawImage(picture, 0, 0, pictureSize.width, pictureSize.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error("The card could not be drawn as a PNG."));
      }, "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
