// `node tools/end-run.mjs RUN`, started by leave-nothing.mjs: waits for the end of its standard input, then ends the
// processes of the run and removes the folders that the input named, one a line.
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOfRun } from "./run-processes.mjs";

const pollMs = 200;
/** Long enough for a product to stop in order. */
const patienceMs = 8000;

const [run = ""] = process.argv.slice(2);

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

const folders = [];
for await (const folder of createInterface({ input: process.stdin })) folders.push(folder);

const deadline = Date.now() + patienceMs;
const asked = new Set();
for (;;) {
  const pids = processesOfRun(run);
  if (pids.length === 0) break;
  for (const pid of pids) {
    if (Date.now() > deadline) signal(pid, "SIGKILL");
    else if (!asked.has(pid)) signal(pid, "SIGTERM");
    asked.add(pid);
  }
  await sleep(pollMs);
}
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
