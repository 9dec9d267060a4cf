import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** @typedef {{ pid: number, parent: number, isMarked: boolean }} Entry */

function fromProc(run) {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      // Behind the name, which may contain spaces and parentheses.
      const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || state === "X") return [];
      const isMarked = readFileSync(`/proc/${name}/environ`, "utf8").includes(run);
      return [{ pid: Number(name), parent: Number(parent), isMarked }];
    } catch {
      // It has ended, or belongs to another user.
      return [];
    }
  });
}

function fromPs(run) {
  const text = execFileSync("ps", ["-AEww", "-o", "pid=,ppid=,command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return text.split("\n").flatMap((line) => {
    const [, pid, parent] = /^\s*(\d+)\s+(\d+)\s/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), isMarked: line.includes(run) }];
  });
}

/**
 * The processes whose environment names a run, and those below them: PostgreSQL's workers write over their environment.
 * @param {string} run
 * @returns {number[]} without this process
 */
export function processesOfRun(run) {
  /** @type {Entry[]} */
  const all = process.platform === "linux" ? fromProc(run) : fromPs(run);
  const found = all.filter(({ pid, isMarked }) => isMarked && pid !== process.pid);
  const known = new Set(found.map(({ pid }) => pid));
  for (const { pid: above } of found) {
    for (const entry of all) {
      if (entry.parent !== above || known.has(entry.pid) || entry.pid === process.pid) continue;
      known.add(entry.pid);
      found.push(entry);
    }
  }
  return [...known];
}
