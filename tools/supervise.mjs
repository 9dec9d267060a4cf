// Keeps a server process running: restarts it when it dies, and stops it together with its database on a signal.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { watchParent } from "./parent.mjs";
import { nextPauseMs } from "./restart-pause.mjs";
import { ensurePackages, pinnedNodePath, projectRoot, run } from "./runtime.mjs";

/** The process ends by itself after six seconds. The rest of ten seconds is left for stopping its database. */
const killAfterMs = 7000;
/** Exit code of `runMain` of basehost when a start cannot succeed. */
const bootErrorExitCode = 78;
/** Exit code when a start may succeed later, for example once the database is up. */
const notReadyExitCode = 75;
/**
 * Size of a semi-space of V8's young generation in megabytes. V8 would choose by the memory of the machine: some 140 MB
 * in all were measured on one with much of it, which made the server no faster and its memory under attack larger.
 */
const semiSpaceMegabytes = 16;
/**
 * Growth of V8's old generation between two collections, in percent of what lives. V8 would let it grow to several times
 * as much: after a flood of large messages the server held 658 MB for as long as it was busy, and 590 MB with this.
 */
const heapGrowingPercent = 50;
const memoryFlags = [
  `--max-semi-space-size=${semiSpaceMegabytes}`,
  `--heap-growing-percent=${heapGrowingPercent}`,
];
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const settleMs = 200;

function report(message) {
  const line = { level: 50, time: Date.now(), pid: process.pid, msg: message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Runs a script on the pinned Node until a signal tells it to stop.
 *
 * The script gets its own session, so that Ctrl-C reaches it only through this process. A closed channel tells it when
 * this process has ended for any reason.
 * @param {string[]} args script and arguments
 * @param {{ watched?: string[] }} [options] `watched`: folders whose changes start the process again; a crash then
 *   waits for the next change.
 */
export async function supervise(args, { watched = [] } = {}) {
  await ensurePackages();
  let child;
  let dataFolder;
  let leftDatabase = false;
  let stopping = false;
  let restarting = false;
  let wake = () => undefined;

  const end = () => {
    if (child === undefined) return;
    const current = child;
    current.kill("SIGTERM");
    const timer = setTimeout(() => current.kill("SIGKILL"), killAfterMs);
    current.once("exit", () => clearTimeout(timer));
  };
  const stop = () => {
    if (stopping) return;
    stopping = true;
    end();
    wake();
  };
  for (const signal of stopSignals) process.on(signal, stop);
  if (process.connected) process.once("disconnect", stop);
  const unwatchParent = watchParent(stop);
  // A closed terminal or pipe must not prevent stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

  let settling;
  const changed = () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      restarting = true;
      end();
      wake();
    }, settleMs);
  };
  const watchers = watched.map((folder) => {
    const watcher = watch(join(projectRoot, folder), { recursive: true }, changed);
    return watcher.on("error", (error) => report(`${folder} is not watched: ${error.message}`));
  });

  /** Runs the process once. Resolves with how it ended and how long it had been ready. */
  const runOnce = () =>
    new Promise((resolve, reject) => {
      let readyAt;
      child = spawn(pinnedNodePath(), [...memoryFlags, ...args], {
        cwd: projectRoot,
        detached: process.platform !== "win32",
        stdio: ["ignore", "inherit", "inherit", "ipc"],
      });
      child.on("message", (message) => {
        if (message.dataFolder !== undefined) ({ dataFolder } = message);
        if (message.ready) readyAt = Date.now();
      });
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        child = undefined;
        const readyMs = readyAt === undefined ? undefined : Date.now() - readyAt;
        resolve({ code, signal, readyMs });
      });
      if (stopping) end();
    });

  /** Resolves after the pause, or earlier when `wake` is called. */
  const rest = (ms) =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  let pauseMs = 0;
  let everReady = false;
  let exitCode = 0;
  const isStopping = () => stopping;
  while (!isStopping()) {
    restarting = false;
    const { code, signal, readyMs } = await runOnce();
    everReady ||= readyMs !== undefined;
    // A process that ended with code 0 has stopped its database; one that could not start never had one.
    leftDatabase =
      code !== 0 && (leftDatabase || (code !== bootErrorExitCode && code !== notReadyExitCode));
    if (stopping || restarting) continue;
    exitCode = code ?? 1;
    const isFirst = !everReady && code !== notReadyExitCode;
    if (code === 0 || isFirst || (code === bootErrorExitCode && watched.length === 0)) break;
    const reason = signal === null ? `exit code ${code}` : `signal ${signal}`;
    if (watched.length > 0) {
      report(`The server ended (${reason}); it starts again after the next change.`);
      await rest();
      continue;
    }
    pauseMs = nextPauseMs(pauseMs, readyMs ?? 0);
    report(`The server ended (${reason}); it starts again in ${pauseMs / 1000} s.`);
    await rest(pauseMs);
  }
  for (const watcher of watchers) watcher.close();
  unwatchParent();
  if (leftDatabase && dataFolder !== undefined) {
    await run(pinnedNodePath(), ["tools/stop-database.ts", dataFolder]);
  }
  process.exit(stopping ? 0 : exitCode);
}
