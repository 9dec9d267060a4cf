// Finds a Chromium for the browser tests, or installs one.
import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fail, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

// Chromium without its windows: the browser tests take three fifths of the processor time that the whole program needs.
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
  return [...candidates, ...fixedPaths].find(isExecutable);
}

/** Whether it starts: it may miss a library of the system. */
function starts(path) {
  try {
    execFileSync(path, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The headless shell that npm has for Linux on x64, unpacked once for each version. */
function fromNpm() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const manifest = join(projectRoot, "node_modules", "@sparticuz", "chromium", "package.json");
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const cache = join(projectRoot, ".cache");
  const path = join(cache, `chromium-${version}`);
  if (!isExecutable(path)) {
    mkdirSync(cache, { recursive: true });
    // Another command may unpack it at the same moment.
    const folder = mkdtempSync(join(cache, "unpack-"));
    const script = join(projectRoot, "tools", "unpack-chromium.mjs");
    const unpacked = execFileSync(pinnedNodePath(), [script], {
      encoding: "utf8",
      env: { ...process.env, TMPDIR: folder },
    });
    renameSync(unpacked, path);
    rmSync(folder, { recursive: true, force: true });
  }
  return starts(path) ? path : undefined;
}

function fromEnvironment() {
  const path = process.env.CHROME_PATH ?? "";
  return path !== "" && isExecutable(path) ? path : undefined;
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

/** Path of a Chromium: that of `CHROME_PATH`, npm's or the machine's. Where there is none, installs Debian's or downloads Playwright's. */
export async function ensureChromium() {
  const found = fromEnvironment() ?? fromNpm() ?? onThisMachine() ?? fromPlaywright();
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
