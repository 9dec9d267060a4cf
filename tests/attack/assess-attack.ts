import {
  measuredOperations,
  type ClientMetrics,
  type MeasuredOperation,
} from "./normal-members.ts";
import type { AttackOutcome } from "./hostile-process.ts";
import type { AttackKind } from "./attack-kind.ts";

/** Limit for the 95th percentile of members' calls on two idle cores. */
const mostP95Ms = 1000;
/** The 95th percentile there without an attack. The limits of a slower machine grow in proportion. */
const usualP95Ms = 150;
const mostSlowness = 5;
/**
 * Of fewer calls, as in the short form, the 95th percentile is the slowest one, which a pause of the machine decides. Their
 * median is judged instead.
 */
const leastCallsForTail = 20;
/** So few calls fall into the first seconds of an attack, before its clients are refused. */
const fewCallsFactor = 3;
/**
 * Megabytes; `docs/subsystems/limits.md` states them. Each of PostgreSQL's sessions keeps what it has read of the schema and
 * the heap of its largest statement, some 20 MB after the heaviest texts.
 */
export const memoryBudget = { host: 600, postgres: 512 };
/** A run with less than this share of the intended attempts proves nothing. */
const leastShare = 0.5;

/** How many times slower than two idle cores the machine is, measured before any attack. */
export function slownessOf(calm: ClientMetrics): number {
  const p95 = Math.max(p95Of(calm, "account"), p95Of(calm, "rooms"));
  return Math.min(mostSlowness, Math.max(1, p95 / usualP95Ms));
}

/** One kind of attack, and its effect on the product. */
export interface AttackResult {
  kind: AttackKind;
  seconds: number;
  slowness: number;
  outcome: AttackOutcome;
  metrics: ClientMetrics;
  /** Highest megabytes seen. */
  memory: { host: number; postgres: number };
  /** Time from the end of the attack until calls were quick again; undefined when they never were. */
  recoveryMs: number | undefined;
  /** False when the server process died, even if it was restarted. */
  stayed: boolean;
}

/** The smallest value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The criteria that a result violates; empty when the product withstood the attack. */
export function violationsOf(result: AttackResult): string[] {
  const { kind, seconds, outcome, metrics, memory, stayed, recoveryMs } = result;
  const violations: string[] = [];
  if (recoveryMs === undefined) violations.push("calls did not recover afterwards");
  if (!stayed) violations.push("the serving process died");
  for (const part of ["host", "postgres"] as const) {
    // NaN or 0 when it could not be read, which is also a violation.
    if (!(memory[part] > 0)) violations.push(`the memory of ${part} could not be read`);
    else if (memory[part] > memoryBudget[part]) {
      violations.push(`${part} took ${Math.round(memory[part])} MB of ${memoryBudget[part]} MB`);
    }
  }
  const limitMs = Math.round(mostP95Ms * result.slowness);
  for (const measure of measuredOperations) {
    const times = metrics.times[measure];
    const hasTail = times.length >= leastCallsForTail;
    const ms = percentile(times, hasTail ? 0.95 : 0.5);
    const most = hasTail ? limitMs : limitMs * fewCallsFactor;
    // NaN when nothing was measured, which is also a violation.
    if (!(ms <= most))
      violations.push(
        `${measure}: ${hasTail ? "p95" : "median"} ${Math.round(ms)} ms of ${most} ms`,
      );
  }
  for (const [reason, count] of Object.entries(metrics.failures)) {
    violations.push(`${count} × ${reason}`);
  }
  // A machine too busy to serve quickly is too busy to attack quickly.
  const least = Math.round((kind.attemptsPerSecond * seconds * leastShare) / result.slowness);
  if (outcome.attempts < least) {
    violations.push(
      `only ${outcome.attempts} hostile attempts of at least ${least}: proves nothing`,
    );
  }
  const answered = Object.entries(outcome.tally).filter(([name]) => !/^E[A-Z]+$/.test(name));
  if (answered.length === 0)
    violations.push("no hostile attempt reached the product: proves nothing");
  const successes = outcome.tally["200"] ?? 0;
  if (kind.mostSuccesses !== undefined && successes > kind.mostSuccesses * outcome.clients) {
    violations.push(`${successes} hostile attempts succeeded`);
  }
  for (const [name, count] of Object.entries(outcome.tally)) {
    if (/^5\d\d$/.test(name) && name !== "503")
      violations.push(`${count} × ${name} for hostile clients`);
  }
  return violations;
}

export function p95Of(metrics: ClientMetrics, measure: MeasuredOperation): number {
  return percentile(metrics.times[measure], 0.95);
}
