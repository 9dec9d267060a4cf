import { dirname, join, normalize } from "node:path";
import { packageNamed } from "./package-doors.ts";
import type { SourceFile } from "./source-files.ts";

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s*)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

/** Features that each feature may import: `chat` may use `levels`, never the other way round. */
const allowedFeatures: Readonly<Record<string, readonly string[]>> = {
  session: [],
  guarantee: ["notifications", "session", "verification"],
  achievements: ["billing", "notifications", "session"],
  levels: ["session", "achievements", "billing"],
  affiliates: ["session"],
  billing: ["session", "affiliates", "legal"],
  onboarding: ["session", "verification", "billing", "guarantee", "levels"],
  verification: ["session"],
  people: ["levels", "moderation", "session", "achievements"],
  moderation: [],
  account: ["session", "billing", "guarantee", "messages", "onboarding", "people", "notifications"],
  chat: ["levels", "moderation", "notifications", "people", "session", "mentions"],
  messages: ["chat", "levels", "notifications", "people", "session"],
  collaborate: ["levels", "moderation", "people", "session"],
  mentions: ["people", "session"],
  pacts: ["levels", "notifications", "people", "session"],
  submissions: ["levels", "mentions", "moderation", "pacts", "people", "session"],
  library: ["levels", "session", "people"],
  questions: ["moderation", "notifications", "session"],
  articles: ["library", "levels", "questions", "session", "ratings"],
  courses: ["achievements", "library", "levels", "questions", "session", "ratings"],
  selling: ["affiliates", "billing", "courses", "legal", "levels", "library", "session"],
  ratings: ["library", "session"],
  studio: ["articles", "courses", "library", "questions", "session"],
  "studio-analytics": ["library", "moderation", "ratings", "session"],
  search: ["levels", "people", "session"],
  notifications: ["session"],
  dashboards: [
    "chat",
    "levels",
    "moderation",
    "notifications",
    "pacts",
    "session",
    "billing",
    "verification",
  ],
  "admin-content": ["session", "library"],
  "admin-settings": ["session", "admin-content", "legal", "library"],
  "admin-money": ["session"],
  landing: [],
  "admin-audit": ["session"],
  "admin-members": ["session", "billing", "moderation", "admin-audit"],
};

/** The part of the tree whose rules apply to a file. */
function areaOf(path: string): string {
  const [first = "", second = "", third = ""] = path.split("/");
  if (first === "web") return third.includes(".") ? "web/app" : `web/${third}`;
  if (first === "packages") return second;
  if (path.startsWith("supabase/functions/_shared/product/")) return "product";
  if (first === "supabase" && second === "functions") return "functions";
  // `tests/e2e/support` is below the tests as well: benchmarks use its accounts and rooms.
  if (first === "tests" && (second === "support" || third === "support")) return "tests/support";
  return first;
}

/** Areas that each area may import. They have an order, so that no two can import each other. */
export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  product: [],
  "web/domain": ["product"],
  "web/lib": ["web/domain"],
  "web/ui": ["web/domain"],
  "web/features": ["web/domain", "web/lib", "web/ui"],
  "web/app": ["web/features", "web/domain", "web/lib", "web/ui"],
  host: [],
  "stripe-sandbox": [],
  functions: ["product"],
  tools: ["host", "stripe-sandbox", "functions", "product", "web/domain"],
  "tests/support": ["host", "stripe-sandbox", "tools"],
  tests: [
    "host",
    "stripe-sandbox",
    "functions",
    "product",
    "tools",
    "tests/support",
    "web/domain",
    "web/app",
    "web/lib",
  ],
  bench: ["host", "tools", "tests/support"],
};

/** The door of a package that runs in browsers too. */
const browserDoor = "basehost/guessable-passwords";

/** Fixtures and test doubles of the interface, and the code that may use them. */
const testingFolder = /^web\/src\/(?:[^/]+\/)*testing\//;
const testCode = /^(?:tests|bench|tools)\/|\/testing\/|\.test\.tsx?$|\.stories\.tsx$/;

/** The parts of a feature that hold rules and answers. They return codes, which components put into words. */
const wordless = /^web\/src\/features\/[^/]+\/(?:model|api)\/(?!.*\.test\.tsx?$)/;
const wording = /^web\/src\/features\/[^/]+\/(?:strings(?:\.ts|\/)|components\/|pages\/)/;
function featureOf(path: string): string | undefined {
  return /^web\/src\/features\/([^/]+)\//.exec(path)?.[1];
}

function resolveImport(from: string, specifier: string): string | undefined {
  const named = packageNamed(specifier);
  if (named !== undefined) return `${named.folder}/${named.entry ?? "internals"}`;
  if (specifier.startsWith("@/")) return `web/src/${specifier.slice(2)}`;
  if (specifier.startsWith(".")) return normalize(join(dirname(from), specifier));
  return undefined;
}

/** Why one import is forbidden, or undefined when it is allowed. Paths are from the root. */
function importViolation(from: string, to: string): string | undefined {
  const [fromArea, toArea] = [areaOf(from), areaOf(to)];
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  if (testingFolder.test(to) && !testCode.test(from)) {
    return "a testing/ folder is for tests only";
  }
  if (wordless.test(from) && wording.test(to)) {
    return "model/ and api/ return codes, the components of a feature say them";
  }
  if (toFeature !== undefined && toFeature !== fromFeature) {
    const isRoutedPage = fromArea === "web/app" && /\/pages\/[^/]+\.tsx$/.test(to);
    if (!to.endsWith("/index.ts") && !isRoutedPage) {
      return "a feature is entered through its index.ts only, by the router through its pages";
    }
    if (fromFeature !== undefined && allowedFeatures[fromFeature]?.includes(toFeature) !== true) {
      return `feature ${fromFeature} must not import ${toFeature}`;
    }
  }
  if (fromArea === toArea) return undefined;
  // A screen is tested inside the whole app, with its guards and providers.
  if (to.startsWith("web/src/app/testing/") && testCode.test(from)) return undefined;
  if (fromArea.startsWith("web/") && to === "web/src/database.types.ts") return undefined;
  if (fromArea === "web/features" && to === resolveImport(from, browserDoor)) return undefined;
  // What a form refuses is compared with what the host refuses.
  if (fromArea === "web/features" && toArea === "host" && from.endsWith(".test.ts"))
    return undefined;
  const allowed = allowedImports[fromArea];
  if (allowed === undefined || allowed.includes(toArea)) return undefined;
  return `${fromArea} must not import ${toArea}`;
}

/** Why the way into a package is forbidden, or undefined when the import enters none or enters by a door. */
function doorViolation(from: string, to: string, specifier: string): string | undefined {
  const folder = /^packages\/[^/]+/.exec(to)?.[0];
  if (folder === undefined || from.startsWith(`${folder}/`)) return undefined;
  const named = packageNamed(specifier);
  if (named === undefined) return `${folder} is imported by its name`;
  if (named.entry === undefined) return `${folder} has no such door`;
  const isTest = /^(tests|bench)\//.test(from) || /\.test\.tsx?$/.test(from);
  if (specifier.endsWith("/testing") && !isTest) return `${specifier} is for tests`;
  return undefined;
}

/** The imports of a file: each specifier and the path it leads to, from the root. Imports of packages that are not ours are left out. */
function resolvedImports({ path, text }: SourceFile): { specifier: string; target: string }[] {
  return [...text.matchAll(importPattern)].flatMap((match) => {
    const specifier = match[1] ?? match[2] ?? "";
    const target = resolveImport(path, specifier);
    return target === undefined ? [] : [{ specifier, target }];
  });
}

/** Paths of the files that a file imports, whether values or types. */
export function importsOf(file: SourceFile): string[] {
  return resolvedImports(file).map(({ target }) => target);
}

/** Every forbidden import of the files, as `path: reason (specifier)`. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    resolvedImports(file).flatMap(({ specifier, target }) => {
      const { path } = file;
      const violation = importViolation(path, target) ?? doorViolation(path, target, specifier);
      return violation === undefined ? [] : [`${path}: ${violation} (${specifier})`];
    }),
  );
}
