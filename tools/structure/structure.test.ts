import { describe, expect, it } from "vitest";
import { importCircles } from "./import-circles.ts";
import { allowedImports, importViolations } from "./import-rules.ts";
import { namedInternals, packageNamed, packageNames } from "./package-doors.ts";
import { sourceFiles } from "./source-files.ts";

const code = sourceFiles([".ts", ".tsx", ".mjs"]);

describe("imports point one way", () => {
  it("holds for every file", () => {
    expect(code.length).toBeGreaterThan(100);
    expect(importViolations(code)).toEqual([]);
  });

  it.each([
    ["packages/host/src/main.ts", "../../stripe-sandbox/src/main.ts"],
    ["packages/host/src/rest/app.ts", "../../../../web/src/domain/roles.ts"],
    ["supabase/functions/stripe-webhook/handler.ts", "../../../packages/host/src/keys.ts"],
    ["supabase/functions/_shared/product/brand.ts", "../deps.ts"],
    ["web/src/domain/brand.ts", "../../../supabase/functions/_shared/deps.ts"],
    ["web/src/features/chat/index.ts", "../../../../supabase/functions/_shared/product/brand.ts"],
    ["web/src/ui/button.tsx", "../lib/environment.ts"],
    ["web/src/lib/environment.ts", "@/features/session/index.ts"],
    ["web/src/features/session/index.ts", "@/features/billing/index.ts"],
    ["web/src/features/session/index.ts", "basehost/accounts"],
    ["web/src/ui/field.tsx", "basehost/guessable-passwords"],
    ["web/src/features/dashboards/index.ts", "@/features/session/api/fetch-profile.ts"],
    ["web/src/features/billing/index.ts", "@/app/routes.tsx"],
    ["web/src/features/chat/index.ts", "@/features/levels/pages/progress-page.tsx"],
    ["web/src/app/routes.tsx", "@/features/levels/components/level-columns.tsx"],
    ["packages/stripe-sandbox/src/main.ts", "../../../tools/product.ts"],
    ["packages/stripe-sandbox/src/main.ts", "../../../tests/support/running.ts"],
    ["packages/stripe-sandbox/src/main.ts", "basehost"],
    ["packages/host/src/host.test.ts", "../../../tests/support/running.ts"],
    ["packages/host/src/main.ts", "card-sandbox"],
    ["web/src/lib/environment.ts", "basehost"],
    ["supabase/functions/stripe-webhook/handler.ts", "card-sandbox"],
    ["bench/chat-room.ts", "card-sandbox"],
    ["tools/product.ts", "../packages/host/src/index.ts"],
    ["tools/product.ts", "../packages/host/src/keys.ts"],
    ["tools/product.ts", "../packages/stripe-sandbox/src/main.ts"],
    ["tests/sql/levels.test.ts", "../../packages/host/src/postgres/database.ts"],
    ["tests/support/running.ts", "basehost/src/keys.ts"],
    ["tests/support/running.ts", "basehost/keys"],
    ["tests/support/running.ts", "card-sandbox/testing"],
    ["bench/rest-read.ts", "../packages/host/src/testing/index.ts"],
    ["tools/product.ts", "basehost/testing"],
    ["tools/product.ts", "../tests/support/running.ts"],
    ["tools/product.ts", "../bench/main.ts"],
    ["tests/support/billing.ts", "../integration/billing-purchase.test.ts"],
    ["tests/e2e/support/accounts.ts", "../start-product.ts"],
    ["tests/sql/levels.test.ts", "../../bench/rest-read.ts"],
    ["bench/chat-room.ts", "../tests/e2e/start-product.ts"],
    ["bench/chat-room.ts", "../tests/sql/world.ts"],
    ["web/src/lib/clock.ts", "./testing/manual-clock.ts"],
    ["web/src/domain/levels.ts", "./testing/specified-requirements.ts"],
    ["web/src/features/billing/queries.ts", "@/app/testing/fake-stripe.ts"],
    ["web/src/features/chat/queries.ts", "@/lib/testing/manual-clock.ts"],
    ["web/src/features/chat/model/draft.ts", "../strings.ts"],
    ["web/src/features/billing/api/change-plan.ts", "../strings/payment.ts"],
    ["web/src/features/billing/model/pay.ts", "../components/describe-offer.ts"],
  ])("%s may not import %s", (path, specifier) => {
    const forms = [
      `import { x } from "${specifier}";`,
      `import type { X } from "${specifier}";`,
      `export { x } from "${specifier}";`,
      `const x = await import("${specifier}");`,
      `import {\n  a,\n  b,\n} from "${specifier}";`,
    ];
    for (const text of forms) expect(importViolations([{ path, text }])).toHaveLength(1);
  });

  it.each([
    ["web/src/domain/brand.ts", "../../../supabase/functions/_shared/product/brand.ts"],
    ["supabase/functions/send-pushes/handler.ts", "../_shared/product/brand.ts"],
    ["tests/sql/levels.test.ts", "../support/running.ts"],
    ["tests/support/backend-setup.ts", "../../tools/product.ts"],
    ["bench/chat-room.ts", "../tests/e2e/support/accounts.ts"],
    ["bench/rest-read.ts", "../tests/support/start-fixture-host.ts"],
    ["web/src/lib/config.test.ts", "./testing/manual-clock.ts"],
    ["web/src/app/testing/test-app.tsx", "@/domain/testing/specified-requirements.ts"],
    ["tests/sql/levels.test.ts", "../../web/src/domain/testing/specified-requirements.ts"],
    ["bench/rest-read.ts", "basehost"],
    ["web/src/features/session/model/new-password.ts", "basehost/guessable-passwords"],
    ["web/src/features/session/model/new-password.test.ts", "basehost/accounts"],
    ["tools/product.ts", "basehost/database"],
    ["tools/product.ts", "card-sandbox"],
    ["tests/contract/realtime/floods.test.ts", "basehost/testing"],
    ["packages/host/src/main.ts", "./host.ts"],
    ["web/src/features/chat/model/chat.test.ts", "../components/draft-error.ts"],
    ["web/src/features/chat/components/draft-error.ts", "../strings.ts"],
  ])("%s may import %s", (path, specifier) => {
    const text = `import { x } from "${specifier}";`;
    expect(importViolations([{ path, text }])).toEqual([]);
  });

  it("gives the areas an order, so that no two import each other", () => {
    const isBelow = (area: string, other: string): boolean =>
      (allowedImports[other] ?? []).some((next) => next === area || isBelow(area, next));
    const areas = Object.keys(allowedImports);
    expect(areas).toEqual(expect.arrayContaining(["tests", "tools", "bench"]));
    expect(areas.filter((area) => isBelow(area, area))).toEqual([]);
  });
});

describe("no file imports itself through others", () => {
  it("holds for values and types of every file", () => {
    expect(importCircles(code)).toEqual([]);
  });

  it.each([
    `import { b } from "./b.ts";`,
    `import type { B } from "./b.ts";`,
    `export { b } from "./b.ts";`,
    `const b = await import("./b.ts");`,
  ])("notices a circle that is closed by %s", (text) => {
    const file = (name: string, content: string) => ({ path: `tools/${name}.ts`, text: content });
    const files = [
      file("start", `import { a } from "./a.ts";`),
      file("a", text),
      file("b", `import { c } from "./c.ts";\nimport { end } from "./end.ts";`),
      file("c", `import type { A } from "./a.ts";`),
      file("end", `export const end = 1;`),
    ];
    expect(importCircles(files)).toEqual([["tools/a.ts", "tools/b.ts", "tools/c.ts"]]);
    expect(importCircles(files.filter(({ path }) => path !== "tools/c.ts"))).toEqual([]);
  });
});

describe("a package is used by its doors", () => {
  it("of which each is a file", () => {
    expect([...packageNames].sort()).toEqual(["basehost", "card-sandbox"]);
    const paths = new Set(code.map(({ path }) => path));
    for (const name of ["basehost", "basehost/accounts", "basehost/testing", "card-sandbox"]) {
      const { folder = "", entry = "" } = packageNamed(name) ?? {};
      expect(paths).toContain(`${folder}/${entry}`);
    }
  });

  it("and by no path to its files", () => {
    expect(namedInternals(code.filter(({ path }) => !path.startsWith("tools/structure/")))).toEqual(
      [],
    );
  });

  it.each([
    `const main = "packages/host/src/main.ts";`,
    `join(root, "packages", "host", "src", "main.ts")`,
    `new URL("../packages/stripe-sandbox/src/browser/", import.meta.url)`,
  ])("which is noticed in %s", (text) => {
    expect(namedInternals([{ path: "tools/product.ts", text }])).toHaveLength(1);
    expect(namedInternals([{ path: "packages/host/src/main.ts", text }])).toEqual([]);
  });
});

describe("the host knows nothing of the product", () => {
  const productNames =
    /\b(profiles|plans|stripe\w*|onboarding\w*|user_verifications|user_levels|user_progress|chat_rooms|chat_messages|message_likes|learning_submissions|subcategories|article\w*|course\w*|module_completions|verification-documents|learning-images|fourfold|mentor\w*|student\w*)\b/i;
  const files = sourceFiles([".ts", ".sql"]).filter(
    ({ path }) => path.startsWith("packages/host/") && !path.endsWith(".test.ts"),
  );

  it("names no table, bucket or role of ours", () => {
    const hits = files.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const name = productNames.exec(line)?.[0];
        return name === undefined ? [] : [`${path}:${index + 1} ${name}`];
      }),
    );
    expect(files.length).toBeGreaterThan(20);
    expect(hits).toEqual([]);
  });

  it("nor does the card sandbox name it", () => {
    const productOnly =
      /\b(fourfold|onboarding\w*|mentor\w*|student\w*|chat_rooms|chat_messages|user_levels|user_progress|profiles)\b/i;
    const sandbox = sourceFiles([".ts", ".js", ".html", ".css", ".json", ".md"]).filter(
      ({ path }) => path.startsWith("packages/stripe-sandbox/"),
    );
    expect(sandbox.length).toBeGreaterThan(20);
    expect(sandbox.filter(({ text }) => productOnly.test(text)).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it("notices a name when there is one", () => {
    expect(productNames.test('select * from "chat_messages"')).toBe(true);
    expect(productNames.test("select * from profiles")).toBe(true);
  });
});

describe("a file of the host says at its top what it is for", () => {
  const sentence = /^(?:\/\/ [^\n]{1,117}\n)?\/\/ [^\n]{1,116}\.\n\n|^\/\*\*/;

  it("in a sentence above the imports, or in the docstring it begins with", () => {
    const files = code.filter(
      ({ path, text }) =>
        /^packages\/host\/src\/.+\.ts$/.test(path) &&
        !/\.(test|d)\.ts$/.test(path) &&
        text.split("\n").length - 1 > 40,
    );
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter(({ text }) => !sentence.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it.each([
    `import pg from "pg";\n`,
    `// No full stop\n\nimport pg from "pg";\n`,
    `// Directly above an import.\nimport pg from "pg";\n`,
    `// One line\n// and another,\n// and a third.\n\nimport pg from "pg";\n`,
    `// ${"Long ".repeat(30)}.\n\nimport pg from "pg";\n`,
  ])("which is missing in %j", (text) => {
    expect(sentence.test(text)).toBe(false);
  });
});

describe("files can be read in one sitting", () => {
  const generated =
    /database\.types\.ts$|^supabase\/schemas\/rpc\/|^supabase\/migrations\/\d+_baseline_\d+\.sql$/;
  const limit = (path: string) => (path.startsWith("supabase/migrations/") ? 300 : 350);

  it("stay under the hard limit", () => {
    const long = sourceFiles([".ts", ".tsx", ".mjs", ".sql", ".css"])
      .filter(({ path }) => !generated.test(path) && !path.startsWith("supabase/seed/content/"))
      .map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
      .filter(({ path, lines }) => lines > limit(path));
    expect(long).toEqual([]);
  });

  it("carry names that say something, in kebab-case", () => {
    const vague = /(^|\/)(utils?|helpers?|misc|common)(\.|\/)/;
    const odd = code.filter(
      ({ path }) =>
        vague.test(path) ||
        path.split("/").some((part) => !/^[._$]?[a-z0-9]+([-.][a-z0-9]+)*$|^_shared$/.test(part)),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});
