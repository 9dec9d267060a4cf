import { join } from "node:path";
import type { RunningHost, RunningSandbox } from "../../support/running.ts";
import { highRequestBudgets } from "../../support/start-fixture-host.ts";
import { freePort, projectRoot, spawnScript } from "../../support/spawn-product.ts";

const metricsToken = "troubles-metrics-token-of-thirty-two-characters";
const scrapeMs = 4000;

/** A line of a host's log. */
export interface LogLine {
  level: number;
  msg?: string;
  part?: string;
  detail?: string;
}

/** A host of the product that something happens to. */
export interface TroubledHost {
  /** As Prometheus calls it. */
  instance: string;
  running: RunningHost;
  sandbox: RunningSandbox;
  pid: number;
  /** Every line of its log so far. */
  lines: () => LogLine[];
  /** `/metrics`; undefined when it gives no answer within four seconds. */
  scrape: () => Promise<string | undefined>;
  /** Resolves once the process has ended. */
  ended: Promise<unknown>;
  kill: () => Promise<void>;
}

/** Starts a host and waits until it is ready. */
export async function startTroubledHost(
  instance: string,
  root: string,
  env: Readonly<Record<string, string>>,
): Promise<TroubledHost> {
  const spawned = spawnScript([join(projectRoot, "tests/scale/troubles/serve.ts")], {
    ...highRequestBudgets,
    TROUBLED_PROJECT: root,
    PORT: String(await freePort()),
    SUPABASE_JWT_SECRET: "troubles-secret-of-at-least-thirty-two-characters",
    DEMO: "0",
    METRICS_TOKEN: metricsToken,
    ADDRESS_REQUESTS_PER_SECOND: "100000",
    ...env,
  });
  await spawned.says("running {").catch((error: unknown) => {
    spawned.child.kill("SIGKILL");
    throw error;
  });
  const [, found = ""] = /^running (\{.*\})$/m.exec(spawned.output()) ?? [];
  const { running, sandbox } = JSON.parse(found) as {
    running: RunningHost;
    sandbox: RunningSandbox;
  };
  const headers = { authorization: `Bearer ${metricsToken}` };
  return {
    instance,
    running,
    sandbox,
    pid: spawned.child.pid ?? 0,
    lines: () =>
      spawned
        .output()
        .split("\n")
        .filter((line) => line.startsWith('{"level":'))
        .map((line) => JSON.parse(line) as LogLine),
    scrape: async () => {
      const signal = AbortSignal.timeout(scrapeMs);
      return await fetch(`${running.url}/metrics`, { headers, signal }).then(
        async (answer) => (answer.ok ? await answer.text() : undefined),
        () => undefined,
      );
    },
    ended: spawned.ended,
    kill: async () => {
      spawned.child.kill("SIGCONT");
      spawned.child.kill("SIGKILL");
      await spawned.ended;
    },
  };
}
