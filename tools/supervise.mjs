// Keeps a serving process running: starts it again when it dies, and ends it, with its database, when asked to end.
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { watchParent } from "./parent.mjs";
import { nextPauseMs } from "./restart-pause.mjs";
import { ensurePackages, productNode, ROOT, run } from "./runtime.mjs";

/** The process gives up after six seconds by itself; what is left of ten then stops its database. */
const killAfterMs = 7000;
/** packages/host/src/serving-process.ts ends with it when a start cannot work. */
const BOOT_ERROR = 78;
/** The same for a start that waits for something else, such as a database that is not up yet. */
const NOT_YET = 75;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const settleMs = 200;

function report(message) {
  const line = { level: 50, time: Date.now(), pid: process.pid, msg: message };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Runs a script of ours on the product's Node until it is told to stop.
 *
 * The process gets a session of its own, so that Ctrl-C reaches it once, through us, and in order. It notices by the
 * closed channel when we are gone, however we went.
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
  for (const signal of SIGNALS) process.on(signal, stop);
  if (process.connected) process.once("disconnect", stop);
  const unwatchParent = watchParent(stop);
  // A closed terminal or pipe must not come in the way of stopping.
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
    const watcher = watch(join(ROOT, folder), { recursive: true }, changed);
    return watcher.on("error", (error) => report(`${folder} is not watched: ${error.message}`));
  });

  /** Runs the process once: how it ended, and for how long it had been ready. */
  const runOnce = () =>
    new Promise((resolve, reject) => {
      let readyAt;
      child = spawn(productNode(), args, {
        cwd: ROOT,
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

  /** Resolves after the pause, or as soon as there is a reason to go on. */
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
    // One that ended in order has stopped its database, one that could not start never had it.
    leftDatabase = code !== 0 && (leftDatabase || (code !== BOOT_ERROR && code !== NOT_YET));
    if (stopping || restarting) continue;
    exitCode = code ?? 1;
    const isFirst = !everReady && code !== NOT_YET;
    if (code === 0 || isFirst || (code === BOOT_ERROR && watched.length === 0)) break;
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
    await run(productNode(), ["tools/stop-database.ts", dataFolder]);
  }
  process.exit(stopping ? 0 : exitCode);
}
