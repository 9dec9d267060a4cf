// npm does not pass every signal on, and the shell it runs a script in may die alone: a script has to see for itself
// that nobody is left who could end it.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const pollMs = 300;
/** npm, its shell and whatever a wrapper puts between; more generations are not ours to watch. */
const MOST_GENERATIONS = 4;

/** Parent and name of a process; undefined when it is gone or the system does not tell. */
function describe(pid) {
  try {
    if (process.platform === "linux") {
      // pid (name) state parent …; the name may hold anything, a parenthesis too.
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
  for (let pid = process.ppid; chain.length < MOST_GENERATIONS;) {
    const found = describe(pid);
    if (found === undefined) break;
    chain.push({ pid, parent: found.parent });
    if (/^(npm|node)/.test(found.name.replace(/^.*\//, ""))) return chain;
    pid = found.parent;
    if (pid <= 1) break;
  }
  // No npm above us (another package manager, perhaps): then the parent alone.
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
 * Calls `onGone` once npm, or the shell between, is gone. Started in another way, a script has no parent to watch.
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
