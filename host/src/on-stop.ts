/**
 * Calls `stop` once when the process is asked to end: by a signal, or because the process that started it is gone.
 * A second signal ends at once.
 */
export function onStop(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) process.exit(130);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Stopping failed: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  process.once("disconnect", end);
}
