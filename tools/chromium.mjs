// Finds a Chromium for the browser tests, or installs one.
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

/* Chromium without its windows: the browser tests take three fifths of the processor time that the whole program needs. */
const headlessShell = "chromium-headless-shell";
const programNames = [
  headlessShell,
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
];
const fixedPaths = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onThisMachine() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = programNames.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROME_PATH ?? "", ...candidates, ...fixedPaths].find(
    (path) => path !== "" && isExecutable(path),
  );
}

function fromPlaywright() {
  const script = "process.stdout.write(require('playwright-core').chromium.executablePath())";
  const path = execFileSync(pinnedNodePath(), ["-e", script], {
    cwd: projectRoot,
    encoding: "utf8",
  });
  return isExecutable(path) ? path : undefined;
}

/** Installs the first of Debian's packages that can be had, where that needs no password. */
async function installFromDebian(...packages) {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-qq"], { env }).catch(() => 1);
  for (const name of packages) {
    const code = await run("apt-get", ["install", "-y", "-qq", name], { env }).catch(() => 1);
    if (code === 0) return;
  }
}

/** Path of a Chromium. Where there is none, installs Debian's or downloads Playwright's. */
export async function ensureChromium() {
  const found = onThisMachine() ?? fromPlaywright();
  if (found) return found;
  process.stdout.write("Getting Chromium for the browser tests …\n");
  await installFromDebian(headlessShell, "chromium");
  const installed = onThisMachine();
  if (installed) return installed;
  const playwright = join(projectRoot, "node_modules", "playwright-core", "cli.js");
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "" };
  await run(pinnedNodePath(), [playwright, "install", "chromium"], { env });
  return (
    fromPlaywright() ?? fail("No Chromium could be found or installed; set CHROME_PATH to one.")
  );
}
