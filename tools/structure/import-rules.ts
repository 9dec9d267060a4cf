import { dirname, join, normalize } from "node:path";
import type { SourceFile } from "./source-files.ts";

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

/** A reaches down to B: `chat` may use `levels`, never the other way round. */
const FEATURES_BELOW: Readonly<Record<string, readonly string[]>> = {
  session: [],
  levels: ["session"],
  billing: ["session"],
  onboarding: ["session", "verification", "billing", "levels"],
  verification: ["session"],
  account: ["session", "billing"],
  chat: ["levels", "session"],
  submissions: ["levels", "session"],
  library: ["levels", "session"],
  articles: ["library", "levels", "session"],
  courses: ["library", "levels", "session"],
  search: ["levels", "session"],
  dashboards: ["levels", "session", "billing", "verification"],
  landing: [],
};

/** Where a file stands in the house. */
function areaOf(path: string): string {
  const [first = "", second = "", third = ""] = path.split("/");
  if (first === "web") return third.includes(".") ? "web/app" : `web/${third}`;
  if (first === "packages") return second;
  if (first === "supabase" && second === "functions") return "functions";
  return first;
}

const WEB_BELOW: Readonly<Record<string, readonly string[]>> = {
  "web/domain": [],
  "web/lib": ["web/domain"],
  "web/ui": [],
  "web/features": ["web/domain", "web/lib", "web/ui"],
  "web/app": ["web/features", "web/domain", "web/lib", "web/ui"],
};

const OUTSIDE_WEB: Readonly<Record<string, readonly string[]>> = {
  host: [],
  "stripe-sandbox": [],
  functions: [],
  bench: ["host", "tests", "tools"],
  tools: ["host", "stripe-sandbox", "web/domain", "tests", "bench"],
  tests: ["host", "stripe-sandbox", "functions", "tools", "web/domain", "web/app", "web/lib"],
};

function featureOf(path: string): string | undefined {
  return /^web\/src\/features\/([^/]+)\//.exec(path)?.[1];
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith("@/")) return `web/src/${specifier.slice(2)}`;
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  return undefined;
}

/** What is wrong with one import, or undefined. Paths are from the root. */
export function importFault(from: string, to: string): string | undefined {
  const [fromArea, toArea] = [areaOf(from), areaOf(to)];
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  if (toFeature !== undefined && toFeature !== fromFeature) {
    const isRoutedPage = fromArea === "web/app" && /\/pages\/[^/]+\.tsx$/.test(to);
    if (!to.endsWith("/index.ts") && !isRoutedPage) {
      return "a feature is entered through its index.ts only, by the router through its pages";
    }
    if (fromFeature !== undefined && FEATURES_BELOW[fromFeature]?.includes(toFeature) !== true) {
      return `feature ${fromFeature} does not stand above ${toFeature}`;
    }
  }
  if (fromArea === toArea) return undefined;
  // A screen is tested inside the whole app, with its guards and providers.
  if (from.endsWith(".test.tsx") && to === "web/src/app/test-app.tsx") return undefined;
  if (fromArea.startsWith("web/") && to === "web/src/database.types.ts") return undefined;
  /* A test of a screen walks through the whole app. */
  if (to === "web/src/app/test-app.tsx" && /\.test\.tsx?$/.test(from)) return undefined;
  const below = WEB_BELOW[fromArea] ?? OUTSIDE_WEB[fromArea];
  if (below === undefined || below.includes(toArea)) return undefined;
  return `${fromArea} must not import ${toArea}`;
}

/** Every forbidden import of the files, as `path: what is wrong (specifier)`. */
export function importFaults(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(IMPORT)].flatMap((match) => {
      const specifier = match[1] ?? match[2] ?? "";
      const target = resolveImport(path, specifier);
      const fault = target === undefined ? undefined : importFault(path, target);
      return fault === undefined ? [] : [`${path}: ${fault} (${specifier})`];
    }),
  );
}
