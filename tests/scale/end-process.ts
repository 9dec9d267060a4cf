import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/**
 * Ends a process and waits until it has ended. One that ended by itself never says so again, so it is not waited for.
 * @returns whether it was still running
 */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
  return true;
}
