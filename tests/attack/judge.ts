import { MEASURES, type Experience, type Measure } from "./honest.ts";
import type { Outcome } from "./hostile-process.ts";
import type { AttackKind } from "./kind.ts";

/** An honest member's calls answer within this, 95 of 100, on two cores. */
const mostP95Ms = 1000;
/** Megabytes; `docs/subsystems/limits.md` states them. */
export const memoryBudget = { host: 600, postgres: 700 };
/** Hostile clients that made fewer attempts than this share of what they were to make prove nothing. */
const leastShare = 0.5;

/** One kind of attack, and what it did to the product. */
export interface AttackResult {
  kind: AttackKind;
  seconds: number;
  outcome: Outcome;
  experience: Experience;
  /** Highest megabytes seen. */
  memory: { host: number; postgres: number };
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
  const { kind, seconds, outcome, experience, memory, stayed } = result;
  const faults: string[] = [];
  if (!stayed) faults.push("the serving process died");
  for (const part of ["host", "postgres"] as const) {
    if (memory[part] > memoryBudget[part]) {
      faults.push(`${part} took ${Math.round(memory[part])} MB of ${memoryBudget[part]} MB`);
    }
  }
  for (const measure of MEASURES) {
    const p95 = p95Of(experience, measure);
    // Not a number when nothing was measured, which is a fault, too.
    if (!(p95 <= mostP95Ms))
      faults.push(`${measure}: p95 ${Math.round(p95)} ms of ${mostP95Ms} ms`);
  }
  for (const [reason, count] of Object.entries(experience.failures)) {
    faults.push(`${count} × ${reason}`);
  }
  const least = kind.attemptsPerSecond * seconds * leastShare;
  if (outcome.attempts < least) {
    faults.push(`only ${outcome.attempts} hostile attempts of at least ${least}: proves nothing`);
  }
  const answered = Object.entries(outcome.tally).filter(([name]) => !/^E[A-Z]+$/.test(name));
  if (answered.length === 0) faults.push("no hostile attempt reached the product: proves nothing");
  for (const [name, count] of Object.entries(outcome.tally)) {
    if (/^5\d\d$/.test(name) && name !== "503")
      faults.push(`${count} × ${name} for hostile clients`);
  }
  return faults;
}

export function p95Of(experience: Experience, measure: Measure): number {
  return percentile(experience.times[measure], 0.95);
}
