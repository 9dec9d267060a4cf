// npm does not forward every signal, and the shell that runs a script may die alone. A script therefore has to check
// whether the processes that started it still exist.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const pollMs = 300;
/** npm, its shell and a wrapper between them; more generations are not watched. */
const maxGenerations = 4;

/** Parent and name of a process; undefined when it is gone or the system does not say. */
function describe(pid) {
  try {
    if (process.platform === "linux") {
      // pid (name) state parent …; the name may contain parentheses.
      const text = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = text.lastIndexOf(")");
      const [, parent] = text.slice(end + 2).split(" ");
      return { parent: Number(parent), name: text.slice(text.indexOf("(") + 1, end) };
    }
    const text = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" });
    const [, parent = "0", name = ""] = /^\s*(\d+)\s+(.*)$/.exec(text.trim()) ?? [];
    return { parent: Number(parent), name };
  } catch {
    return undefined;
  }
}

/** The processes from our parent up to npm; empty when npm did not start us. */
function processesUpToNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return [];
  const chain = [];
  for (let pid = process.ppid; chain.length < maxGenerations;) {
    const found = describe(pid);
    if (found === undefined) break;
    chain.push({ pid, parent: found.parent });
    if (/^(npm|node)/.test(found.name.replace(/^.*\//, ""))) return chain;
    pid = found.parent;
    if (pid <= 1) break;
  }
  // Without npm above, for example under another package manager, only the parent is watched.
  return chain.slice(0, 1);
}

const chain = processesUpToNpm();

function isGone() {
  return chain.some(({ pid }, index) => {
    const parent = index === 0 ? process.ppid : describe(chain[index - 1].pid)?.parent;
    return parent !== pid;
  });
}

/**
 * Calls `onGone` once npm or the shell below it has ended. Does nothing when npm did not start this process.
 * @param {() => void} onGone
 * @returns {() => void} ends the watching
 */
export function watchParent(onGone) {
  if (chain.length === 0) return () => undefined;
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  timer.unref();
  return () => clearInterval(timer);
}
