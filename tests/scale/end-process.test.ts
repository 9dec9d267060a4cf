import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { endProcess } from "./end-process.ts";

it("ends a process that runs", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"]);
  expect(await endProcess(child, "SIGTERM")).toBe(true);
  expect(child.signalCode).toBe("SIGTERM");
});

it.each(["process.exit(3)", "process.kill(process.pid, 'SIGKILL')"])(
  "does not wait for a process that has ended by itself: %s",
  async (script) => {
    const child = spawn(process.execPath, ["-e", script]);
    await once(child, "close");
    expect(await endProcess(child, "SIGTERM")).toBe(false);
  },
);
