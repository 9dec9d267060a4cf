import { over } from "../over.ts";
import { startOneHost } from "./one-host.ts";
import type { TroublesSeen } from "./outcome.ts";
import { findPromtool } from "./promtool.ts";
import { startSeveralHosts } from "./several-hosts.ts";
import { undergo, type Trouble } from "./trouble.ts";

interface Install {
  troubles: Trouble[];
  close: () => Promise<void>;
}

/** Brings each trouble of docs/subsystems/metrics.md over the product, one after the other. */
export async function undergoTroubles(): Promise<TroublesSeen> {
  const promtool = await findPromtool();
  if (promtool === undefined)
    throw new Error("promtool is not installed: apt-get install prometheus");
  const seen: TroublesSeen = { tried: 0, asDocumented: 0, slowestMs: 0, problems: [] };
  const undergoAll = async ({ troubles }: Install) => {
    for (const trouble of troubles) {
      const { figures, problems } = await undergo(promtool, trouble);
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      seen.tried++;
      if (problems.length === 0) seen.asDocumented++;
      seen.slowestMs = Math.max(seen.slowestMs, figures.metricMs, figures.logMs);
      seen.problems.push(...problems);
    }
  };
  await over(await startOneHost(), undergoAll);
  await over(await startSeveralHosts(), undergoAll);
  return seen;
}
