import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A running process. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  command: string;
}

function listProcesses(): ProcessEntry[] {
  return execFileSync("ps", ["-eo", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      // A zombie has ended already.
      if (command === undefined || state?.startsWith("Z")) return [];
      return [{ pid: Number(pid), parent: Number(parent), command }];
    });
}

/** The command lines of those of the processes that still run. */
export function commandsOf(pids: readonly number[]): string[] {
  const wanted = new Set(pids);
  return listProcesses().flatMap(({ pid, command }) => (wanted.has(pid) ? [command] : []));
}

/** A process and its descendants, found by their parent ids. */
export function processTree(root: number): ProcessEntry[] {
  const all = listProcesses();
  const tree = all.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid));
  return tree;
}

/** The embedded PostgreSQL server over a data folder and its workers; empty when none runs. */
export function databaseProcesses(dataDir: string): ProcessEntry[] {
  let pid: number;
  try {
    pid = Number(readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
  } catch {
    return [];
  }
  return processTree(pid);
}

/** The given processes that are still running, compared by id and command. */
export function survivors(processes: readonly ProcessEntry[]): ProcessEntry[] {
  const running = new Map(listProcesses().map((entry) => [entry.pid, entry.command]));
  return processes.filter(({ pid, command }) => running.get(pid) === command);
}
