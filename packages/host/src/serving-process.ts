// Lifecycle of a serving process: exit codes, stop signals, and messages to its supervisor over the IPC channel.

import { resolve } from "node:path";
import type { Logger } from "pino";
import { BootError, RetryableBootError } from "./boot-error.ts";
import { onStop } from "./on-stop.ts";

/** The environment, the data folder or the database makes a start impossible; a restart would not help. */
const bootErrorExitCode = 78;
/** A dependency such as the database is not available yet; a later start may work. */
const retryableExitCode = 75;
/** An unhandled error ended the process. */
const crashExitCode = 70;

/** Tells the supervisor which data folder this process uses, so that it can stop a database left running. */
export function reportDataFolder(env: Readonly<Record<string, string | undefined>>): void {
  if (env["DATABASE_URL"]) return;
  process.send?.({ dataFolder: resolve(env["DATA_DIR"] || "data") });
}

/**
 * After an unhandled error the state is unknown, so the process does not continue: it writes the stack and exits, and
 * the supervisor restarts it.
 */
function exitOnUncaught(log: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    if (log.isLevelEnabled("fatal")) log.fatal({ err: error, origin }, "unhandled error");
    else process.stderr.write(`${origin}: ${error.stack ?? String(error)}\n`);
    process.exit(crashExitCode);
  });
}

/** Ends the process when it can't serve any more, so that its supervisor starts everything anew. */
function exitOnLost(log: Logger, reason: string): void {
  if (log.isLevelEnabled("fatal")) log.fatal({ reason }, "the database is lost");
  else process.stderr.write(`The database is lost: ${reason}\n`);
  process.exit(crashExitCode);
}

/** What a serving process ends with. */
export interface Serving {
  /** Called first on a stop signal: other hosts take the requests. */
  readonly leave?: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Resolves with the reason when the process can't serve any more. */
  readonly lost?: Promise<string>;
}

/** Tells the supervisor that the process is ready, and installs the handlers for stop signals and unhandled errors. */
export function serveUntilStopped(log: Logger, { leave, stop, lost }: Serving): void {
  exitOnUncaught(log);
  onStop(async () => {
    await leave?.();
    await stop();
  });
  void lost?.then((reason) => exitOnLost(log, reason));
  process.send?.({ ready: true });
}

/** Runs a command's main function; a boot error ends the process with its message and its own exit code. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isKnown = error instanceof BootError;
    const text = isKnown ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${text}\n`);
    if (error instanceof RetryableBootError) process.exit(retryableExitCode);
    process.exit(isKnown ? bootErrorExitCode : 1);
  }
}
