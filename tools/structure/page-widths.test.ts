import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const tokens = sourceFiles(["tokens.css"]).find(({ path }) => path.startsWith("web/src/ui/"));

/** Tailwind's own widths from 36rem on, and a width of 36rem or more that is written out. */
const unnamed = /\bmax-w-(?:xl|[2-7]xl|\[(?:3[6-9]|[4-9]\d)(?:\.\d+)?rem\])/g;

/** A message's row: its actions stand at the end of the row, and the row is wider than its text. */
const exempt = ["web/src/features/chat/components/message-item.tsx"];

it("pages have the widths that tokens.css names, one for each kind", () => {
  expect(tokens?.text.match(/--container-\w+/g)).toEqual([
    "--container-page",
    "--container-beside",
    "--container-column",
    "--container-split",
    "--container-reading",
    "--container-notice",
  ]);
  const others = sourceFiles([".ts", ".tsx"])
    .filter(({ path }) => path.startsWith("web/src/") && !exempt.includes(path))
    .flatMap(({ path, text }) => (text.match(unnamed) ?? []).map((found) => `${path}: ${found}`));
  expect(others).toEqual([]);
});
