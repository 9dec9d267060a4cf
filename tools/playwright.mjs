// Runs the browser tests, for `npm test` and `npm run e2e`.
import { join } from "node:path";
import { pinnedNodePath, projectRoot, run } from "./runtime.mjs";

const playwright = join(projectRoot, "node_modules", "@playwright", "test", "cli.js");

/**
 * Runs `playwright test`.
 * @param {readonly string[]} args
 * @param {Record<string, string>} env besides that of this process
 * @returns {Promise<number>} its exit code
 */
export async function runPlaywright(args, env) {
  // Node reads TypeScript itself, as in production. Playwright would first compile each file with Babel, in a fresh clone
  // for 15 seconds of processor time; a version that no longer knows the variable does that.
  const ownLoader = { PW_DISABLE_TS_ESM: "1" };
  return await run(pinnedNodePath(), [playwright, "test", ...args], {
    env: { ...process.env, ...ownLoader, ...env },
  });
}
