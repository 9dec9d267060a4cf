import { defineConfig } from "vitest/config";
import { fileURLToPath } from "node:url";

const webSource = fileURLToPath(new URL("./web/src", import.meta.url));

/** Pure code, the web app in jsdom, the host over a foreign project, and the product's own backend. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          include: ["{packages,supabase/functions,tools}/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve: { alias: { "@": webSource } },
        test: {
          name: "web",
          environment: "jsdom",
          include: ["web/src/**/*.test.{ts,tsx}"],
          setupFiles: ["./tests/support/web-setup.ts"],
          testTimeout: 300_000,
        },
      },
      {
        test: {
          name: "contract",
          environment: "node",
          include: ["tests/contract/**/*.test.ts"],
          globalSetup: ["./tests/support/contract-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "backend",
          environment: "node",
          include: ["tests/{sql,security,integration}/**/*.test.ts"],
          globalSetup: ["./tests/support/backend-setup.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: "attack",
          environment: "node",
          include: ["tests/attack/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Times are measured here, so the other tests have to be over.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
