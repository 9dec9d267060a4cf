/** A stop that takes longer is aborted, so that a command ends within ten seconds even if something hangs. */
const stopTimeoutMs = 6000;

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** True when another process started this one with an IPC channel. */
const wasConnected = process.connected;

/**
 * Calls `stop` once on a stop signal, or when the parent process disconnects.
 * Ctrl-C often arrives twice, from the terminal and from npm, so further signals are ignored.
 */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => {
      process.stderr.write("Stopping took too long; ending at once.\n");
      process.exit(1);
    }, stopTimeoutMs).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of stopSignals) process.on(signal, end);
  process.once("disconnect", end);
  // The parent process may have ended during the start.
  if (wasConnected && !process.connected) end();
  // Writing to a closed terminal fails; that must not interrupt stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
