import { parseArgs } from "node:util";
import { startCluster, type Cluster } from "./cluster.ts";
import { loseHosts, problemsOf } from "./host-death.ts";
import { pooledProblems, refusals, workPooled } from "./pooled-work.ts";
import { startPooledCluster, type PooledCluster, type StartedHost } from "./pooled.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "80" }, pooler: { type: "boolean" } },
});
const seconds = Number(values.seconds);
if (!(seconds >= 30 && seconds <= 600)) {
  process.stderr.write("Usage: npm run scale -- [--pooler] [--seconds 30–600]\n");
  process.exit(1);
}

/** Runs `work` over what was set up, and takes that down also when the process is told to end. */
async function over<T extends { close: () => Promise<void> }>(
  cluster: T,
  work: (cluster: T) => Promise<string[]>,
): Promise<string[]> {
  let closing: Promise<void> | undefined;
  const close = async () => await (closing ??= cluster.close());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void close().then(() => process.exit(1)));
  }
  try {
    return await work(cluster);
  } finally {
    await close();
  }
}

const lost = async (cluster: Cluster) => {
  const figures = await loseHosts(cluster, seconds);
  process.stdout.write(
    `three hosts, of which ${figures.kills} were lost: ${JSON.stringify(figures)}\n`,
  );
  return problemsOf(figures);
};

const pooled = async (cluster: PooledCluster) => {
  const problems = await refusals(cluster);
  const env = {
    DATABASE_URL: cluster.pooled,
    DATABASE_DIRECT_URL: cluster.direct,
    DATABASE_REPLICA_URL: cluster.replicaUrl,
  };
  const hosts: [StartedHost, StartedHost] = [
    await cluster.startHost(env),
    await cluster.startHost(env),
  ];
  const refused = hosts.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length > 0) return [...problems, ...refused];
  const figures = await workPooled(cluster, hosts, seconds);
  process.stdout.write(`two hosts behind PgBouncer, with a replica: ${JSON.stringify(figures)}\n`);
  return [...problems, ...pooledProblems(figures, hosts.length)];
};

const problems =
  values.pooler === true
    ? await over(await startPooledCluster(), pooled)
    : await over(await startCluster(3), lost);
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
