import { defineConfig } from "vitest/config";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { hookTimeoutMs, testTimeoutMs } from "./tests/support/time-limits.ts";

const webSource = fileURLToPath(new URL("./web/src", import.meta.url));

/** How long `expect.poll` goes on: one second, its default, is short for two busy cores. */
const polling = { poll: { timeout: testTimeoutMs / 2 } };

/** The web app in jsdom: its files share a page and its modules, and `web-setup.ts` takes away what a test leaves there. */
const web = {
  resolve: { alias: { "@": webSource } },
  test: {
    environment: "jsdom" as const,
    include: ["web/src/**/*.test.{ts,tsx}"],
    setupFiles: ["./tests/support/web-setup.ts"],
    testTimeout: testTimeoutMs,
    hookTimeout: hookTimeoutMs,
    expect: polling,
  },
};

/**
 * Files that share no page with others. Two render as the server does: React keeps the value of a context in one place for
 * its renderers of pages and of documents, and no process of the product runs both. The third loads its script anew.
 */
const aloneInTheirPage = [
  "web/src/features/landing/enhance-landing.test.ts",
  "web/src/features/landing/landing.test.ts",
  "web/src/features/selling/render-sale.test.tsx",
];

/**
 * Files whose process is Node alone: its own loader reads their TypeScript, as it does in production, and keeps what it
 * compiled. They share a process with its modules, which a file of 200 lines takes longer to load than to run.
 */
const node = {
  environment: "node" as const,
  isolate: false,
  experimental: { viteModuleRunner: false, nodeLoader: false },
  testTimeout: testTimeoutMs,
  hookTimeout: hookTimeoutMs,
  expect: polling,
};

/**
 * Storage tests that say the same wherever the shared host keeps its files: four start stores or hosts of their own, and
 * two are about what becomes of a picture before it is stored.
 */
const alikeOverEveryStore = [
  "bucket-store",
  "download-links",
  "stores",
  "orphaned-blobs",
  "brought-files",
  "picture-bucket",
].map((name) => `tests/contract/storage/${name}.test.ts`);

/** Pure code, the web app in jsdom, the host with a fixture project, and the product's own backend. */
export default defineConfig({
  test: {
    // Two cores run two files at a time: most of a file is waiting for a server. Vitest would leave one core alone.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: [
            "{packages,supabase/functions,tools,bench,tests/support,tests/attack,tests/auth-js,tests/scale}/**/*.test.ts",
          ],
          exclude: ["tools/structure/**", "**/node_modules/**"],
          isolate: false,
          testTimeout: testTimeoutMs,
          hookTimeout: hookTimeoutMs,
          expect: polling,
        },
      },
      {
        // What is said of the tree itself, without running it. `npm run check` runs these, and so does `npm test` with it.
        test: {
          name: "structure",
          environment: "node",
          include: ["tools/structure/**/*.test.ts"],
          isolate: false,
          testTimeout: testTimeoutMs,
          hookTimeout: hookTimeoutMs,
        },
      },
      {
        ...web,
        test: { ...web.test, name: "web", exclude: aloneInTheirPage, isolate: false },
      },
      {
        ...web,
        test: { ...web.test, name: "web-alone", include: aloneInTheirPage },
      },
      {
        test: {
          ...node,
          name: "contract",
          include: ["tests/contract/**/*.test.ts"],
          globalSetup: ["./tests/support/contract-setup.ts"],
        },
      },
      {
        // The storage tests once more, over a host whose files are in a bucket of S3.
        test: {
          ...node,
          name: "contract-bucket",
          include: ["tests/contract/storage/**/*.test.ts"],
          exclude: alikeOverEveryStore,
          globalSetup: ["./tests/support/contract-setup.ts"],
        },
      },
      {
        test: {
          ...node,
          name: "backend",
          include: ["tests/{sql,security,integration}/**/*.test.ts"],
          globalSetup: ["./tests/support/backend-setup.ts"],
        },
      },
      {
        // `npm run test:long` alone runs these.
        test: {
          ...node,
          name: "long",
          include: ["tests/long/**/*.test.ts"],
          globalSetup: ["./tests/support/backend-setup.ts"],
        },
      },
    ],
  },
});
