import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "@playwright/test";
import { drawFrame, lengthOf, toVtt, type Film } from "./films/film.ts";
import { shippedFilms } from "./films/shipped-films.ts";
import { toWebm, type EncodedFrame } from "./films/webm.ts";

// Draws the films of the shipped library: `npm run films -- [NAME …]`. Each frame is a picture of an SVG in Chromium,
// which also encodes it (VP9 at a constant quality). Frames that look like the one before are left out.

const folder = fileURLToPath(new URL("../web/public/films", import.meta.url));
const pixelWidth = 960;
const pixelHeight = 540;
const framesPerSecond = 10;
/** 0 is best, 63 smallest: while something moves, and once a picture rests. */
const quantizer = { moving: 58, resting: 36 };
const maxFilmBytes = 600 * 1024;
const siteUrl = "http://localhost/";
const { resolve } = createRequire(import.meta.url);
const fonts: Readonly<Record<string, string>> = {
  Inter: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  Newsreader: "@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2",
};

/** A page with our fonts; nothing is asked of the network. */
async function openStudio(page: Page): Promise<void> {
  const faces = Object.keys(fonts).map(
    (name) =>
      `@font-face { font-family: ${name}; src: url(/${name}.woff2); font-weight: 100 900; }`,
  );
  const style = `${faces.join("\n")} body { margin: 0 } svg { display: block; width: 100vw; height: 100vh } text { font-feature-settings: "tnum" }`;
  await page.route("**/*", async (route) => {
    const font = fonts[/\/(\w+)\.woff2$/.exec(route.request().url())?.[1] ?? ""];
    if (font !== undefined) await route.fulfill({ body: await readFile(resolve(font)) });
    else await route.fulfill({ contentType: "text/html", body: `<style>${style}</style>` });
  });
  await page.goto(siteUrl);
  await page.evaluate(async (names) => {
    await Promise.all(names.map(async (name) => document.fonts.load(`500 32px ${name}`)));
  }, Object.keys(fonts));
}

/** Opens the encoder in the page, where `encode` and `frames` are kept for the calls after this one. */
async function openEncoder(page: Page): Promise<void> {
  await page.evaluate(
    async ({ width, height }) => {
      const done: { timeMs: number; isKey: boolean; base64: string }[] = [];
      const encoder = new VideoEncoder({
        output: (chunk) => {
          const bytes = new Uint8Array(chunk.byteLength);
          chunk.copyTo(bytes);
          const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
          done.push({ timeMs: chunk.timestamp / 1000, isKey: chunk.type === "key", base64 });
        },
        error: (error) => console.error(error),
      });
      encoder.configure({
        codec: "vp09.00.31.08",
        width,
        height,
        bitrateMode: "quantizer",
        latencyMode: "quality",
      });
      const encode = async (png: string, timeMs: number, keyFrame: boolean, quality: number) => {
        const picture = await createImageBitmap(
          await (await fetch(`data:image/png;base64,${png}`)).blob(),
        );
        const frame = new VideoFrame(picture, { timestamp: timeMs * 1000 });
        // The types of the DOM do not know this codec's own option yet.
        const options: VideoEncoderEncodeOptions & { vp9: { quantizer: number } } = {
          keyFrame,
          vp9: { quantizer: quality },
        };
        encoder.encode(frame, options);
        frame.close();
        picture.close();
      };
      const finish = async () => {
        await encoder.flush();
        return done;
      };
      Object.assign(globalThis, { filmEncoder: { encode, finish } });
    },
    { width: pixelWidth, height: pixelHeight },
  );
}

interface FilmEncoder {
  readonly encode: (
    png: string,
    timeMs: number,
    keyFrame: boolean,
    quality: number,
  ) => Promise<void>;
  readonly finish: () => Promise<{ timeMs: number; isKey: boolean; base64: string }[]>;
}

async function record(page: Page, film: Film): Promise<Buffer> {
  await openStudio(page);
  await openEncoder(page);
  const seconds = lengthOf(film);
  const starts = new Set(film.cues.map(({ from }) => Math.round(from * framesPerSecond)));
  const screen = await page.context().newCDPSession(page);
  let last = "";
  for (let index = 0; index < seconds * framesPerSecond; index += 1) {
    const svg = drawFrame(film, index / framesPerSecond);
    const isResting = svg === last;
    // Players dislike long gaps, so a picture that rests is repeated every second, the first time in full quality.
    if (isResting && !starts.has(index) && index % framesPerSecond !== 0) continue;
    if (!isResting) await page.evaluate((markup) => (document.body.innerHTML = markup), svg);
    last = svg;
    const { data: png } = await screen.send("Page.captureScreenshot", {
      format: "png",
      optimizeForSpeed: true,
    });
    const timeMs = Math.round((index * 1000) / framesPerSecond);
    await page.evaluate(
      async ([picture, at, isKey, quality]) =>
        (globalThis as unknown as { filmEncoder: FilmEncoder }).filmEncoder.encode(
          picture,
          at,
          isKey,
          quality,
        ),
      [
        png,
        timeMs,
        starts.has(index),
        isResting || starts.has(index) ? quantizer.resting : quantizer.moving,
      ] as const,
    );
  }
  const encoded = await page.evaluate(async () =>
    (globalThis as unknown as { filmEncoder: FilmEncoder }).filmEncoder.finish(),
  );
  const frames = encoded.map(({ base64, ...frame }): EncodedFrame => ({
    ...frame,
    bytes: Buffer.from(base64, "base64"),
  }));
  return toWebm({ width: pixelWidth, height: pixelHeight, durationMs: seconds * 1000 }, frames);
}

const wanted = process.argv.slice(2);
const chosen = shippedFilms.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (chosen.length === 0)
  throw new Error(`Films: ${shippedFilms.map(({ name }) => name).join(", ")}`);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({
  ...(process.env["CHROME_PATH"] ? { executablePath: process.env["CHROME_PATH"] } : {}),
  args: ["--no-sandbox", "--force-color-profile=srgb"],
});
try {
  for (const film of chosen) {
    const page = await browser.newPage({ viewport: { width: pixelWidth, height: pixelHeight } });
    const file = await record(page, film);
    await page.close();
    await writeFile(join(folder, `${film.name}.webm`), file);
    await writeFile(join(folder, `${film.name}.vtt`), toVtt(film));
    const size = `${Math.round(file.length / 1024)} KB`;
    process.stdout.write(`${film.name}: ${lengthOf(film)} s, ${size}\n`);
    if (file.length > maxFilmBytes) throw new Error(`${film.name} is larger than 600 KB.`);
  }
} finally {
  await browser.close();
}
