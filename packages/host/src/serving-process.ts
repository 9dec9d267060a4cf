import { resolve } from "node:path";
import type { Logger } from "pino";
import { BootError, NotYetError } from "./config.ts";
import { onStop } from "./on-stop.ts";

// The two sides of a process that serves: what it does about its own end, and what it tells its supervisor
// (tools/supervise.mjs) over the channel to the process that started it, where there is one.

/** The environment, the data folder or the database makes a start impossible; starting again would not help. */
const bootErrorExitCode = 78;
/** Something the start needs is not up yet, such as the database; starting again later may work. */
const notYetExitCode = 75;
/** An error that nothing handled ended the process. */
const crashExitCode = 70;

/** Tells the supervisor over which data folder this process runs, so that it can stop a database left behind. */
export function tellDataFolder(env: Readonly<Record<string, string | undefined>>): void {
  if (env["DATABASE_URL"]) return;
  process.send?.({ dataFolder: resolve(env["DATA_DIR"] || "data") });
}

/**
 * An error that reached the top leaves work undone that nobody knows of, so the process never carries on:
 * it writes the stack and ends, and the supervisor starts it again.
 */
function exitOnUncaught(log: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    if (log.isLevelEnabled("fatal")) log.fatal({ err: error, origin }, "an error nothing handled");
    else process.stderr.write(`${origin}: ${error.stack ?? String(error)}\n`);
    process.exit(crashExitCode);
  });
}

/** Tells the supervisor that the process serves; from here on it stops when asked and ends on an unhandled error. */
export function serveUntilStopped(log: Logger, stop: () => Promise<void>): void {
  exitOnUncaught(log);
  onStop(stop);
  process.send?.({ ready: true });
}

/** Runs a command's main function; a start that cannot work ends with a sentence and an exit code of its own. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isKnown = error instanceof BootError;
    const text = isKnown ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    if (error instanceof NotYetError) process.exit(notYetExitCode);
    process.exit(isKnown ? bootErrorExitCode : 1);
  }
}
