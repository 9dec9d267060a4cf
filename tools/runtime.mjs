// What every command needs before TypeScript can run: the packages, the pinned Node and the built web app.
// Plain JavaScript without dependencies, because it runs on whatever Node (>= 20.19) the machine has.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasLockedPackages } from "./installed-packages.mjs";
import { putReplacedAssetsBack, setAssetsAside } from "./replaced-assets.mjs";

export const projectRoot = fileURLToPath(new URL("..", import.meta.url));
// Every process that a command starts keeps there what it compiled; loading the server's TypeScript takes half the time then.
process.env.NODE_COMPILE_CACHE ??= join(projectRoot, ".cache", "compiled");
const oldestNode = [20, 19];
/** What stands in the place of a build's fingerprint in a release, which has the built web app and not its sources. */
export const releasedStamp = "released";
const buildStamp = join(projectRoot, "web", "dist", ".built");
const builtAssets = join(projectRoot, "web", "dist", "assets");
const replacedAssets = join(projectRoot, "web", ".replaced-assets");
const buildInputs = [
  "web",
  "vite.config.ts",
  "tools/chunk-areas.ts",
  "tools/module-graph.ts",
  "tools/static-pages.ts",
  "tsconfig.web.json",
  "package-lock.json",
];

function assertNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    fail(`Node ${oldestNode.join(".")} or newer is needed; this is ${process.versions.node}.`);
  }
}

/** Prints one sentence and ends the command with exit code 1. */
export function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => !["dist", "node_modules", ".replaced-assets"].includes(name))
    .flatMap((entry) => filesBelow(join(path, entry.name)))
    .sort();
}

function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => filesBelow(join(projectRoot, path)))) {
    hash
      .update(file.slice(projectRoot.length))
      .update("\0")
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

/**
 * Starts a program in the project's folder and forwards SIGINT and SIGTERM to it.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {{ child: import("node:child_process").ChildProcess, ended: Promise<number> }} `ended`: the exit code
 */
export function startProgram(command, args, options = {}) {
  const child = spawn(command, args, { cwd: projectRoot, stdio: "inherit", ...options });
  const forward = (signal) => child.kill(signal);
  process.on("SIGINT", forward);
  process.on("SIGTERM", forward);
  const ended = new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(code ?? (signal === null ? 1 : 130)));
  }).finally(() => {
    process.off("SIGINT", forward);
    process.off("SIGTERM", forward);
  });
  return { child, ended };
}

/**
 * Runs a program as `startProgram` does and resolves with its exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function run(command, args, options = {}) {
  return await startProgram(command, args, options).ended;
}

/** True when the locked packages are installed. Without install scripts the pinned Node would be missing. */
function isInstalled() {
  // npm's own variable, which its installation obeys as well.
  const omitsDev = process.env.NPM_CONFIG_OMIT === "dev";
  return hasLockedPackages(projectRoot, { omitsDev }) && existsSync(pinnedNodePath());
}

/** True when the built web app is that of the sources, or of a release. */
function isBuilt() {
  const stamp = readStamp(buildStamp);
  return stamp === releasedStamp || stamp === fingerprint(buildInputs);
}

/** True when nothing has to be installed or built before a start. */
export function isPrepared() {
  return isInstalled() && isBuilt();
}

/** Installs the locked packages unless exactly these are installed already. */
export async function ensurePackages() {
  assertNode();
  if (isInstalled()) return;
  process.stdout.write("Installing packages …\n");
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
  const args = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const code = await run(npm, args, { env, shell: process.platform === "win32" });
  if (code !== 0) fail("The packages could not be installed; see the messages of npm above.");
}

/** Path of the pinned Node, whichever version the machine has. */
export function pinnedNodePath() {
  return join(
    projectRoot,
    "node_modules",
    "node",
    "bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
}

/**
 * Runs a script on the pinned Node. The closed channel tells it to stop when this process ends for any reason.
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
export async function runWithPinnedNode(args, options = {}) {
  await ensurePackages();
  process.exitCode = await run(pinnedNodePath(), args, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    ...options,
  });
}

/** Builds the web app when one of its inputs has changed. */
export async function ensureBuild() {
  if (!existsSync(join(projectRoot, "vite.config.ts"))) {
    if (readStamp(buildStamp) !== releasedStamp)
      fail("web/dist is missing: unpack the release again.");
    return;
  }
  if (isBuilt()) return;
  const wanted = fingerprint(buildInputs);
  process.stdout.write("Building the web app …\n");
  const vite = join(projectRoot, "node_modules", "vite", "bin", "vite.js");
  setAssetsAside(builtAssets, replacedAssets);
  const code = await run(pinnedNodePath(), [vite, "build", "--logLevel", "warn"]);
  if (code !== 0) fail("The web app could not be built; see the messages above.");
  putReplacedAssetsBack(builtAssets, replacedAssets);
  writeFileSync(buildStamp, wanted);
}
