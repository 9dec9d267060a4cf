import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** How one part of the command ended. */
export interface PartResult {
  name: string;
  seconds: number;
  /** Its figures in one line; undefined when it had none. */
  figures: string | undefined;
  isPassed: boolean;
}

function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** A line for each part and one for all; the code is 0 when each part passed, and there was one. */
export function summaryOf(results: readonly PartResult[]): { text: string; code: 0 | 1 } {
  const failed = results.filter(({ isPassed }) => !isPassed).length;
  const lines = results.map(({ name, seconds, figures, isPassed }) => {
    const end = figures === undefined ? "" : `: ${figures}`;
    return `${name}, ${Math.round(seconds)} s, ${isPassed ? "passed" : "failed"}${end}\n`;
  });
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const counts = `${results.length - failed} passed, ${failed} failed`;
  const text = `\n${lines.join("")}${timeOf(seconds)}: ${counts}\n`;
  return { text, code: results.length > 0 && failed === 0 ? 0 : 1 };
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the command with other arguments, in a process of its own, so that nothing of one part is left in the next. */
async function runPart(args: readonly string[]): Promise<PartResult & { isStopped: boolean }> {
  const startedAt = performance.now();
  const child = fork(fileURLToPath(new URL("main.ts", import.meta.url)), [...args]);
  let figures: string | undefined;
  child.on("message", (message) => {
    if (typeof message === "string") figures = message;
  });
  let isStopped = false;
  const stop = (signal: NodeJS.Signals) => {
    isStopped = true;
    child.kill(signal);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  const code = await new Promise((resolve) => child.once("close", resolve));
  for (const signal of stopSignals) process.off(signal, stop);
  const seconds = (performance.now() - startedAt) / 1000;
  const name = (args[0] ?? "").replace(/^--/, "");
  return { name, seconds, figures, isPassed: code === 0, isStopped };
}

/**
 * Runs parts of the command one after the other, and says at the end how each went.
 * @param parts arguments of each
 * @returns the exit code
 */
export async function runInTurn(parts: readonly (readonly string[])[]): Promise<0 | 1> {
  const results: PartResult[] = [];
  for (const args of parts) {
    process.stdout.write(`\n${args.join(" ")}\n`);
    const { isStopped, ...result } = await runPart(args);
    results.push(result);
    if (isStopped) return 1;
  }
  const { text, code } = summaryOf(results);
  process.stdout.write(text);
  return code;
}
