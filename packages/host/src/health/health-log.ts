// Says in the log when a part of this host gets worse and when it works again, once each time.

import type { Logger } from "pino";
import type { HealthCheck, HealthChecks } from "./health-check.ts";

const everySeconds = 10;
/** A check that is so late was held up by a machine that stood still, or by a process that was stopped. */
const standstillMs = 5_000;

/** What the log needs. */
export interface HealthLogOptions {
  readonly checks: () => Promise<HealthChecks>;
  readonly log: Pick<Logger, "info" | "warn" | "error">;
  /** Milliseconds of a clock that goes on while the process is stopped. */
  readonly now?: () => number;
  /** How long a second between two looks lasts, in milliseconds; tests shorten it. */
  readonly secondMs?: number | undefined;
}

const severity = { ok: 0, warning: 1, failing: 2 } as const;

/**
 * Looks every ten seconds, for the first time after ten. `warning` becomes a line of that level and `failing` one at the level error, with the
 * part and its detail. A part that gets better without being well stays at its worst, so that a failure is not told twice.
 */
export function logHealth({
  checks,
  log,
  now = () => performance.now(),
  secondMs = 1000,
}: HealthLogOptions): { stop: () => void } {
  const everyMs = everySeconds * secondMs;
  const worst = new Map<string, { state: HealthCheck["state"]; at: number }>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = (part: string, { state, detail }: HealthCheck) => {
    const known = worst.get(part);
    if (state === "ok") {
      if (known === undefined) return;
      worst.delete(part);
      const seconds = Math.round((now() - known.at) / 1000);
      log.info({ part, seconds }, "a part of this host works again");
      return;
    }
    if (severity[state] <= severity[known?.state ?? "ok"]) return;
    worst.set(part, { state, at: known?.at ?? now() });
    const line = { part, ...(detail !== undefined && { detail }) };
    if (state === "failing") log.error(line, "a part of this host fails");
    else log.warn(line, "a part of this host has trouble");
  };
  const look = async (dueAt: number) => {
    const lateMs = now() - dueAt;
    if (lateMs > standstillMs)
      log.warn({ part: "host", seconds: Math.round(lateMs / 1000) }, "this host stood still");
    const found = await checks();
    if (isStopped) return;
    for (const [part, check] of Object.entries(found)) tell(part, check);
  };
  const lookLater = () => {
    const dueAt = now() + everyMs;
    timer = setTimeout(() => {
      // A part that can't be checked says so by itself.
      void look(dueAt)
        .catch(() => undefined)
        .finally(() => {
          if (!isStopped) lookLater();
        });
    }, everyMs);
    timer.unref();
  };
  lookLater();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
