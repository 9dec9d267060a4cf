/** How a photo of an iPhone begins. */
export const heicBytes = new Uint8Array([
  ...new TextEncoder().encode("\0\0\0$ftypheic\0\0\0\0mif1heicmiafMiHB"),
  ...new Uint8Array(2000),
]);

/** The same under the name that copying by cable gives it. */
export function heicNamedJpg(name = "IMG_0001.JPG"): File {
  return new File([heicBytes], name, { type: "image/jpeg" });
}
