import { measuredOperations } from "./normal-members.ts";
import { violationsOf, memoryBudget, percentile, type AttackResult } from "./assess-attack.ts";

function tallyText(tally: Readonly<Record<string, number>>): string {
  return Object.entries(tally)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ");
}

/** The report of an attack, as lines of text. */
export function reportOf(result: AttackResult): string {
  const { kind, seconds, outcome, metrics, memory, recoveryMs, slowness } = result;
  const violations = violationsOf(result);
  const rate = Math.round(outcome.attempts / seconds);
  const lines = [
    `${violations.length === 0 ? "HELD  " : "FAILED"} ${kind.name}: ${kind.tries}`,
    `  hostile   ${outcome.attempts} attempts (${rate}/s); ${tallyText(outcome.tally)}`,
    `  memory    host ${Math.round(memory.host)} of ${memoryBudget.host} MB, postgres ${Math.round(memory.postgres)} of ${memoryBudget.postgres} MB`,
    `  members   ${"".padEnd(10)}${["calls", "p50", "p95", "max"].map((name) => name.padStart(8)).join("")}  (ms)`,
  ];
  for (const measure of measuredOperations) {
    const times = metrics.times[measure];
    const figures = [
      times.length,
      ...[0.5, 0.95, 1].map((share) => Math.round(percentile(times, share))),
    ];
    lines.push(
      `            ${measure.padEnd(10)}${figures.map((figure) => `${figure}`.padStart(8)).join("")}`,
    );
  }
  lines.push(
    `  afterwards quick again after ${recoveryMs === undefined ? "-" : Math.round(recoveryMs)} ms`,
  );
  if (slowness > 1)
    lines.push(`  (the machine is ${slowness.toFixed(1)} times slower than it should be)`);
  lines.push(...violations.map((violation) => `  ! ${violation}`));
  return `${lines.join("\n")}\n`;
}
