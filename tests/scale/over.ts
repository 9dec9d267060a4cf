const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs `work` over what was set up, and takes that down also when the process is told to end. */
export async function over<T extends { close: () => Promise<void> }, R>(
  cluster: T,
  work: (cluster: T) => Promise<R>,
): Promise<R> {
  let closing: Promise<void> | undefined;
  const close = async () => await (closing ??= cluster.close());
  const end = () => void close().then(() => process.exit(1));
  // Not once: the terminal and the commands above each send SIGINT, and the second would end the process while it closes.
  for (const signal of stopSignals) process.on(signal, end);
  try {
    return await work(cluster);
  } finally {
    await close();
    // What is set up next must not be left behind because this is closed already.
    for (const signal of stopSignals) process.off(signal, end);
  }
}
