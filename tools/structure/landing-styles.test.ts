import { matchesGlob, posix } from "node:path";
import { expect, it } from "vitest";
import { importsOf } from "./import-rules.ts";
import { sourceFiles } from "./source-files.ts";

const styles = "web/src/features/landing/landing.css";

it("the landing page's own stylesheet knows the classes of every component on the page", () => {
  const files = new Map(
    sourceFiles([".ts", ".tsx"])
      .filter(({ path }) => path.startsWith("web/src/"))
      .map((file) => [file.path, file]),
  );
  const [sheet] = sourceFiles([styles]);
  const sources = [...(sheet?.text ?? "").matchAll(/^@source "([^"]+)";/gm)].map(([, glob = ""]) =>
    posix.join(posix.dirname(styles), glob),
  );
  const onPage = new Set(["web/src/features/landing/render-landing.tsx"]);
  // A set visits what is added to it on the way.
  for (const path of onPage) {
    const file = files.get(path);
    for (const target of file ? importsOf(file) : []) if (files.has(target)) onPage.add(target);
  }
  const components = [...onPage].filter((path) => path.endsWith(".tsx"));
  expect(components.length).toBeGreaterThan(10);
  expect(components.filter((path) => !sources.some((glob) => matchesGlob(path, glob)))).toEqual([]);
});
