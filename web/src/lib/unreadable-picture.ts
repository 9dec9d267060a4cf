/** What a file is that was chosen as a picture and that browsers, or this one, cannot draw. */
export const unreadablePictureStrings = {
  heic: "This is a HEIC photo, as iPhones take them, and this browser can't read it, whatever its name says. Export it as a JPG in your photo app and choose that, or set the camera to “Most Compatible” (Settings, Camera, Formats) and take it again.",
  avif: "This is an AVIF picture, which this browser can't read, whatever its name says. Save it as a JPG or PNG and choose that.",
  tiff: "This is a TIFF picture or a camera's raw file, which browsers can't read, whatever its name says. Save it as a JPG or PNG and choose that.",
  pdf: "This is a PDF, not a picture, whatever its name says. Save the page as a JPG or PNG and choose that.",
  film: "This is a film, not a picture, whatever its name says. Choose a JPG or PNG.",
  empty:
    "This file is empty. If it's still being copied or downloaded, wait for that and choose it again.",
} as const;

/** Brands of a HEIF file, of which HEIC is the kind with HEVC pictures. */
const heicBrands = new Set(["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]);
const headBytes = 64;

/** Says what a picture is that could not be drawn, by its first bytes, and what to do; null for what is not recognised. */
export async function explainUnreadablePicture(file: Blob): Promise<string | null> {
  if (file.size === 0) return unreadablePictureStrings.empty;
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  if (head.startsWith("%PDF-")) return unreadablePictureStrings.pdf;
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return unreadablePictureStrings.tiff;
  if (head.startsWith("\u001aEß£")) return unreadablePictureStrings.film;
  if (head.slice(4, 8) !== "ftyp") return null;
  // The main brand, a version, and the brands it is compatible with, up to the length of the box.
  const length = new DataView(bytes.buffer).getUint32(0);
  const brands: readonly string[] =
    head.slice(8, Math.min(length, headBytes)).match(/[^]{4}/g) ?? [];
  if (brands.length === 0) return null;
  if (brands.some((brand) => heicBrands.has(brand))) return unreadablePictureStrings.heic;
  if (brands.includes("avif") || brands.includes("avis")) return unreadablePictureStrings.avif;
  return brands[0] === "mif1" || brands[0] === "msf1"
    ? unreadablePictureStrings.heic
    : unreadablePictureStrings.film;
}
