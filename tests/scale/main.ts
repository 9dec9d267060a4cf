import { parseArgs } from "node:util";
import { startCluster } from "./cluster.ts";
import { loseHosts, problemsOf } from "./host-death.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "80" } } });
const seconds = Number(values.seconds);
if (!(seconds >= 30 && seconds <= 600)) {
  process.stderr.write("Usage: npm run scale -- [--seconds 30–600]\n");
  process.exit(1);
}
const cluster = await startCluster(3);
let closing: Promise<void> | undefined;
const close = async () => await (closing ??= cluster.close());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void close().then(() => process.exit(1)));
}
try {
  const figures = await loseHosts(cluster, seconds);
  const problems = problemsOf(figures);
  process.stdout.write(
    `three hosts, of which ${figures.kills} were lost: ${JSON.stringify(figures)}\n`,
  );
  for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await close();
}
process.exit();
