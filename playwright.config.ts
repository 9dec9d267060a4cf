import { defineConfig } from "@playwright/test";
import { timeLimitMs } from "./tests/support/time-limits.ts";

/** Browser tests: one product for the whole run, the system's Chromium, and separate accounts for each test. */
export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  globalSetup: "./tests/e2e/start-product.ts",
  fullyParallel: true,
  workers: 2,
  // `npm test` names what passed only when it was repeated.
  retries: 1,
  forbidOnly: true,
  // The limits find what hangs; they say nothing about how fast the product has to be.
  timeout: timeLimitMs(120),
  expect: { timeout: timeLimitMs(30) },
  use: {
    actionTimeout: timeLimitMs(30),
    // A recording costs a third of the processor time of a run. `npm run e2e -- --trace retain-on-failure NAME` makes one.
    trace: "off",
    screenshot: "only-on-failure",
    locale: "en-GB",
    timezoneId: "Europe/London",
    // Without a graphics card each frame of an animation is drawn by the processor: a tenth of a run's time.
    // A test that is about motion asks for it with `emulateMedia`.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...(process.env["CHROME_PATH"] ? { executablePath: process.env["CHROME_PATH"] } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
