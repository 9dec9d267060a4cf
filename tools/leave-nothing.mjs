// Ends what a command has started when the command itself has ended in any way, such as by kill -9.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { watchParent } from "./parent.mjs";

/**
 * The environment carries it to every process below the command, also to a PostgreSQL server that has no parent any more.
 * It lists the commands a process was started under, from the outermost.
 */
export const runVariable = "FOURFOLD_RUN";

const sweeper = fileURLToPath(new URL("end-run.mjs", import.meta.url));

let isWatched = false;
let sweeperInput;

/**
 * Marks this process's descendants, and starts a process beside it that ends them once this one has gone. This process
 * ends when npm, which started it, has gone.
 */
export function leaveNothingRunning() {
  if (isWatched || process.platform === "win32") return;
  isWatched = true;
  const run = randomUUID();
  const outer = process.env[runVariable] || undefined;
  // Its standard input is a pipe whose other end closes with this process. It is below none of the marked ones.
  const child = spawn(process.execPath, [sweeper, run], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  child.stdin.unref();
  child.unref();
  sweeperInput = child.stdin;
  process.env[runVariable] = outer === undefined ? run : `${outer},${run}`;
  watchParent(() => process.exit(1));
}

/**
 * Has a folder of this command removed once the command has ended in any way. Where it ends in order, it removes the
 * folder itself.
 * @param {string} folder
 */
export function leaveNoFolder(folder) {
  sweeperInput?.write(`${folder}\n`);
}

/**
 * Makes a folder for the temporary files of what this command starts, which is given it as `TMPDIR`, and has it removed
 * once the command has ended in any way.
 */
export function makeTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "run-"));
  // Servers that run as an account of their own have folders in it.
  chmodSync(folder, 0o711);
  leaveNoFolder(folder);
  return folder;
}
