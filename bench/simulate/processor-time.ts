import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Linux counts in hundredths of a second. */
const tickMs = 10;

interface ProcessTimes {
  parent: number;
  ownMs: number;
  /** Of children that have ended. */
  endedMs: number;
}

function timesOf(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * tickMs;
    return { parent: Number(fields[1]), ownMs: ticks(11), endedMs: ticks(13) };
  } catch {
    // It has ended since the folder was listed.
    return undefined;
  }
}

/** Processor time that a process has used, in milliseconds, without its children. */
export function processMs(pid: number): number {
  return timesOf(pid)?.ownMs ?? 0;
}

/** Processor time of a PostgreSQL server and all its processes, living and ended, in milliseconds. */
export function serverMs(databaseFolder: string): number {
  const [line = ""] = readFileSync(join(databaseFolder, "postmaster.pid"), "utf8").split("\n");
  const postmaster = Number(line);
  const own = timesOf(postmaster);
  const living = readdirSync("/proc")
    .map((name) => timesOf(Number(name)))
    .filter((times) => times?.parent === postmaster)
    .reduce((sum, times) => sum + (times?.ownMs ?? 0), 0);
  return living + (own?.ownMs ?? 0) + (own?.endedMs ?? 0);
}
