import sharp from "sharp";

/** A drawing of an identity page: a photograph, lines of data and the machine-readable strip. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 620" width="880" height="620">
  <rect width="880" height="620" rx="24" fill="#e9e4d8"/>
  <rect x="48" y="56" width="784" height="14" fill="#7a6f58"/>
  <rect x="48" y="110" width="220" height="290" rx="8" fill="#cfd8dc"/>
  <circle cx="158" cy="215" r="56" fill="#90a4ae"/>
  <path d="M68 400c0-70 40-110 90-110s90 40 90 110z" fill="#90a4ae"/>
  <g fill="#a89f8a">${[320, 460, 390, 300, 430].map((width, line) => `<rect x="310" y="${118 + line * 58}" width="120" height="10"/><rect x="310" y="${136 + line * 58}" width="${width}" height="18" fill="#5d5644"/>`).join("")}</g>
  <g fill="#5d5644">${[0, 1].map((line) => Array.from({ length: 44 }, (_, place) => `<rect x="${48 + place * 17.9}" y="${490 + line * 44}" width="11" height="${(place * 7 + line * 3) % 5 === 0 ? 8 : 22}"/>`).join("")).join("")}</g>
</svg>`;

/** The identity document of every demo account, as a PNG without a name. */
export async function drawSampleDocument(): Promise<Buffer> {
  return await sharp(Buffer.from(drawing)).png().toBuffer();
}
