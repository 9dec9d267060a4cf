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
 * @param over runs work over an install and takes it down, also when the process is told to end
 * @returns what is not as that page says
 */
export async function undergoTroubles(
  over: (install: Install, work: (install: Install) => Promise<string[]>) => Promise<string[]>,
): Promise<string[]> {
  const promtool = await findPromtool();
  if (promtool === undefined)
    throw new Error("promtool is not installed: apt-get install prometheus");
  const undergoAll = async ({ troubles }: Install) => {
    const problems: string[] = [];
    for (const trouble of troubles) {
      const { figures, problems: found } = await undergo(promtool, trouble);
      process.stdout.write(`${JSON.stringify(figures)}\n`);
      problems.push(...found);
    }
    return problems;
  };
  return [
    ...(await over(await startOneHost(), undergoAll)),
    ...(await over(await startSeveralHosts(), undergoAll)),
  ];
}
