import { describe, expect, it } from "vitest";
import { comparePageWeights, weighPages } from "./page-weights.ts";

const page = "features/chat/pages/room-page.tsx";
const manifest = {
  "app.html": { file: "app.js", css: ["app.css"], imports: ["_libraries.js"] },
  "src/app/start.tsx": { file: "start.js", imports: ["_libraries.js"], isDynamicEntry: true },
  "_libraries.js": { file: "libraries.js" },
  "_chat.js": { file: "chat.js", imports: ["_libraries.js"] },
  [`src/${page}`]: {
    file: "room.js",
    imports: ["_chat.js", "_libraries.js"],
    isDynamicEntry: true,
  },
  "src/lib/sound.ts": { file: "sound.js", isDynamicEntry: true },
};

describe("the weight of a page", () => {
  it("is that of all files it needs, each once", () => {
    expect([...weighPages(manifest, () => 1024)]).toEqual([[page, { files: 6, kib: 6 }]]);
  });

  it("may not exceed its line in files or bytes", () => {
    const weights = new Map([[page, { files: 5, kib: 100 }]]);
    expect(comparePageWeights(weights, { [page]: { files: 5, kib: 100 } })).toEqual([]);
    expect(comparePageWeights(weights, { [page]: { files: 4, kib: 100 } })).toEqual([
      `${page} loads 5 files and 100 KiB, above 4 and 100`,
    ]);
    expect(comparePageWeights(weights, { [page]: { files: 5, kib: 99 } })).toHaveLength(1);
  });

  it("lowers its line when it has become lighter", () => {
    const weights = new Map([[page, { files: 5, kib: 90 }]]);
    expect(comparePageWeights(weights, { [page]: { files: 5, kib: 100 } })[0]).toContain(
      "lower it",
    );
  });

  it("needs a line, and no line stands for a page that is gone", () => {
    const weights = new Map([[page, { files: 5, kib: 90 }]]);
    expect(comparePageWeights(weights, {})[0]).toContain("has no line");
    expect(comparePageWeights(new Map(), { [page]: { files: 5, kib: 90 } })[0]).toContain(
      "no page",
    );
  });
});
