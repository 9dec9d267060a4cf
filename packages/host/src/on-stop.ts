/** A stop that takes longer is given up, so that a command ends within ten seconds, whatever hangs. */
const stopTimeoutMs = 6000;

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** True when another process started this one with a channel between them. */
const wasConnected = process.connected;

/**
 * Calls `stop` once when the process is asked to end: by a signal, or because the process that started it is gone.
 * Ctrl-C often arrives twice, from the terminal and from npm, so further signals change nothing.
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
  for (const signal of SIGNALS) process.on(signal, end);
  process.once("disconnect", end);
  // Whoever started us may have gone while we were starting.
  if (wasConnected && !process.connected) end();
  // A terminal that was closed takes no more output; that must not come in the way of stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
