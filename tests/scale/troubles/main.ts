import { over } from "../over.ts";
import { startOneHost } from "./one-host.ts";
import { findPromtool } from "./promtool.ts";
import { startSeveralHosts } from "./several-hosts.ts";
import { undergo, type Trouble } from "./trouble.ts";

interface Install {
  troubles: Trouble[];
  close: () => Promise<void>;
}

/**
 * Brings each trouble of docs/subsystems/metrics.md over the product, one after the other.
 * @returns how many there were, the longest time until figures and log said one, and what is not as that page says
 */
export async function undergoTroubles(): Promise<{
  told: number;
  slowestMs: number;
  problems: string[];
}> {
  const promtool = await findPromtool();
  if (promtool === undefined)
    throw new Error("promtool is not installed: apt-get install prometheus");
  const seen = { told: 0, slowestMs: 0, problems: [] as string[] };
  const undergoAll = async ({ troubles }: Install) => {
    for (const trouble of troubles) {
      const { figures, problems } = await undergo(promtool, trouble);
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      seen.told++;
      seen.slowestMs = Math.max(seen.slowestMs, figures.metricMs, figures.logMs);
      seen.problems.push(...problems);
    }
  };
  await over(await startOneHost(), undergoAll);
  await over(await startSeveralHosts(), undergoAll);
  return seen;
}
