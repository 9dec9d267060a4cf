import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readLibrary } from "../content/read-library.ts";
import { shippedLibraryFolder } from "../content/shipped.ts";
import { captionsError } from "../../web/src/domain/captions.ts";
import { drawFrame, lengthOf, toVtt } from "./film.ts";
import { shippedFilms } from "./shipped-films.ts";
import { toWebm, webmSeconds } from "./webm.ts";

const siteFolder = fileURLToPath(new URL("../../web/public", import.meta.url));
const maxFilmBytes = 600 * 1024;

function secondsOf(timestamp: string): number {
  const [minutes = "", seconds = ""] = timestamp.split(":");
  return Number(minutes) * 60 + Number(seconds);
}

describe("the films of the shipped library", () => {
  test("are shown in two courses, and exist with captions", async () => {
    const { library } = await readLibrary(shippedLibraryFolder);
    const courses = library.flatMap(({ courses: all }) => all);
    const shown = courses.filter(({ modules }) =>
      modules.some(({ video_url: video }) => video?.startsWith("/films/")),
    );
    expect(shown.length).toBeGreaterThanOrEqual(2);
    const addresses = courses
      .flatMap(({ modules }) => modules.map(({ video_url: video }) => video))
      .filter((video): video is string => video?.startsWith("/") === true);
    for (const address of addresses) {
      const film = await readFile(join(siteFolder, address));
      expect(film.length, address).toBeLessThanOrEqual(maxFilmBytes);
      const seconds = webmSeconds(film);
      expect(seconds, address).toBeGreaterThanOrEqual(40);
      expect(seconds, address).toBeLessThanOrEqual(90);
      const captions = await readFile(join(siteFolder, address.replace(/\.webm$/, ".vtt")));
      expect(captionsError(captions), address).toBeNull();
      const times = [...captions.toString().matchAll(/(\d\d:\d\d\.\d{3}) --> (\d\d:\d\d\.\d{3})/g)];
      let reached = 0;
      for (const [, from = "", to = ""] of times) {
        expect(secondsOf(from), `${address} has a gap at ${reached} s`).toBe(reached);
        reached = secondsOf(to);
      }
      expect(reached, address).toBe(seconds);
    }
  });

  test.each(shippedFilms)("$name is committed as its scene says", async (film) => {
    const captions = await readFile(join(siteFolder, "films", `${film.name}.vtt`), "utf8");
    expect(captions).toBe(toVtt(film));
    const file = await readFile(join(siteFolder, "films", `${film.name}.webm`));
    expect(webmSeconds(file)).toBe(lengthOf(film));
  });

  test.each(shippedFilms)("$name leaves time to read and draws at every moment", (film) => {
    for (const { from, to, text } of film.cues) {
      expect(text.length / (to - from), text).toBeLessThanOrEqual(16);
    }
    for (let t = 0; t <= lengthOf(film); t += 0.5) {
      const svg = drawFrame(film, t);
      expect(svg, `${film.name} at ${t} s`).not.toMatch(/NaN|undefined|Infinity/);
      // What is seen is more than the paper, apart from the change between two scenes.
      if (film.cues.some(({ from, to }) => t > from + 1 && t < to - 1)) {
        expect(svg, `${film.name} at ${t} s`).toContain("<g ");
      }
    }
  });
});

describe("a WebM file", () => {
  const frame = (timeMs: number, isKey: boolean) => ({ timeMs, isKey, bytes: Buffer.from("x") });

  test("has one cluster for each key frame, where its cue says", () => {
    const frames = [frame(0, true), frame(50, false), frame(6000, true), frame(6050, false)];
    const file = toWebm({ width: 2, height: 2, durationMs: 7000 }, frames);
    expect(webmSeconds(file)).toBe(7);
    const segmentStart = file.indexOf(Buffer.from("18538067", "hex")) + 12;
    const positions: number[] = [];
    for (
      let at = file.indexOf("f101", 0, "hex");
      at >= 0;
      at = file.indexOf("f101", at + 1, "hex")
    ) {
      positions.push(Number(file.readBigUInt64BE(at + 9)));
    }
    expect(positions).toHaveLength(2);
    for (const position of positions) {
      expect(file.readUInt32BE(segmentStart + position)).toBe(0x1f43b675);
    }
  });

  test("without a duration is refused", () => {
    expect(() => webmSeconds(Buffer.from("not a film"))).toThrow("The film has no duration.");
  });
});
