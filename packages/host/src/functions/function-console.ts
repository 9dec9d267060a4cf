// What a function writes to the console becomes a line of the host's log: JSON with its level, the function and the request's id.

import { AsyncLocalStorage } from "node:async_hooks";
import { format } from "node:util";
import type { Logger } from "pino";

const levels = { debug: "debug", log: "info", info: "info", warn: "warn", error: "error" } as const;

/** The log of the function that runs; none outside of one. */
const running = new AsyncLocalStorage<Logger>();
const captured = new WeakSet<Console>();

/** Sends the console of running functions to their log. What the rest of the process writes stays as it is. */
export function captureConsole(): void {
  if (captured.has(console)) return;
  captured.add(console);
  for (const method of Object.keys(levels) as (keyof typeof levels)[]) {
    const original = console[method].bind(console);
    console[method] = (...parts: unknown[]) => {
      const log = running.getStore();
      if (log === undefined) return original(...parts);
      const err = parts.find((part) => part instanceof Error);
      const text = format(...parts.filter((part) => part !== err));
      log[levels[method]](err === undefined ? {} : { err }, text);
    };
  }
}

/** Runs `work` with its console in `log`, whatever it starts included. */
export function withConsole<T>(log: Logger, work: () => T): T {
  return running.run(log, work);
}
