import { MEASURES, type Experience, type Measure } from "./honest.ts";
import type { Outcome } from "./hostile-process.ts";
import type { AttackKind } from "./kind.ts";

/** An honest member's calls answer within this, 95 of 100, on two cores that have nothing else to do. */
const mostP95Ms = 1000;
/** What they take there without an attack. A machine that is busy anyway is given as much more time as it takes more. */
const usualP95Ms = 150;
const mostSlowness = 5;
/** Megabytes; `docs/subsystems/limits.md` states them. */
export const memoryBudget = { host: 600, postgres: 400 };
/** Hostile clients that made fewer attempts than this share of what they were to make prove nothing. */
const leastShare = 0.5;

/** How many times slower than two idle cores the machine is, judged by calls before any attack. */
export function slownessOf(calm: Experience): number {
  const p95 = Math.max(p95Of(calm, "account"), p95Of(calm, "rooms"));
  return Math.min(mostSlowness, Math.max(1, p95 / usualP95Ms));
}

/** One kind of attack, and what it did to the product. */
export interface AttackResult {
  kind: AttackKind;
  seconds: number;
  slowness: number;
  outcome: Outcome;
  experience: Experience;
  /** Highest megabytes seen. */
  memory: { host: number; postgres: number };
  /** From the end of the attack until honest calls were quick again; undefined when they never were. */
  recoveryMs: number | undefined;
  /** False when the serving process died, whether or not it was started again. */
  stayed: boolean;
}

/** The smallest value that `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Everything that is wrong with a result; empty when the product held. */
export function faultsOf(result: AttackResult): string[] {
  const { kind, seconds, outcome, experience, memory, stayed, recoveryMs } = result;
  const faults: string[] = [];
  if (recoveryMs === undefined) faults.push("honest calls did not recover afterwards");
  if (!stayed) faults.push("the serving process died");
  for (const part of ["host", "postgres"] as const) {
    // Not a number or nothing when it could not be read, which is a fault, too.
    if (!(memory[part] > 0)) faults.push(`the memory of ${part} could not be read`);
    else if (memory[part] > memoryBudget[part]) {
      faults.push(`${part} took ${Math.round(memory[part])} MB of ${memoryBudget[part]} MB`);
    }
  }
  const limitMs = Math.round(mostP95Ms * result.slowness);
  for (const measure of MEASURES) {
    const p95 = p95Of(experience, measure);
    // Not a number when nothing was measured, which is a fault, too.
    if (!(p95 <= limitMs)) faults.push(`${measure}: p95 ${Math.round(p95)} ms of ${limitMs} ms`);
  }
  for (const [reason, count] of Object.entries(experience.failures)) {
    faults.push(`${count} × ${reason}`);
  }
  // A machine too busy to serve quickly is too busy to attack quickly.
  const least = Math.round((kind.attemptsPerSecond * seconds * leastShare) / result.slowness);
  if (outcome.attempts < least) {
    faults.push(`only ${outcome.attempts} hostile attempts of at least ${least}: proves nothing`);
  }
  const answered = Object.entries(outcome.tally).filter(([name]) => !/^E[A-Z]+$/.test(name));
  if (answered.length === 0) faults.push("no hostile attempt reached the product: proves nothing");
  const successes = outcome.tally["200"] ?? 0;
  if (kind.mostSuccesses !== undefined && successes > kind.mostSuccesses * outcome.clients) {
    faults.push(`${successes} hostile attempts succeeded`);
  }
  for (const [name, count] of Object.entries(outcome.tally)) {
    if (/^5\d\d$/.test(name) && name !== "503")
      faults.push(`${count} × ${name} for hostile clients`);
  }
  return faults;
}

export function p95Of(experience: Experience, measure: Measure): number {
  return percentile(experience.times[measure], 0.95);
}
