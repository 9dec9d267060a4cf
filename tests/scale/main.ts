import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { RedisLog, seatMs } from "basehost/testing";
import { checkSharedLog } from "../support/check-shared-log.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { decoderProblems, loseDecoder, troubles } from "./decoder-loss.ts";
import { loseHosts, problemsOf } from "./host-death.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "80" },
    redis: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
if (!(seconds >= 30 && seconds <= 600)) {
  process.stderr.write("Usage: npm run scale -- [--seconds 30–600] [--redis]\n");
  process.exit(1);
}

/** Hosts that share the log through Redis: the one that decodes is lost in each way, and Redis itself. */
async function loseDecoders(started: Cluster): Promise<string[]> {
  const problems: string[] = [];
  for (const trouble of troubles) {
    const figures = await loseDecoder(started, trouble);
    process.stdout.write(`the decoder: ${JSON.stringify(figures)}\n`);
    problems.push(...decoderProblems(figures));
  }
  return problems;
}

/** Redis does what the tests of the store in memory expect. */
async function checkRedis(url: string): Promise<void> {
  const fail = (error: Error) => {
    throw error;
  };
  const log = new RedisLog(url, async () => await Promise.resolve("check"), fail);
  // A seat is gone by itself.
  await checkSharedLog(log, async () => await sleep(seatMs + 500));
  await log.close();
}

const cluster = await startCluster(3, { redis: values.redis });
let closing: Promise<void> | undefined;
const close = async () => await (closing ??= cluster.close());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void close().then(() => process.exit(1)));
}
try {
  if (cluster.redis) await checkRedis(cluster.redis.url);
  const problems = values.redis ? await loseDecoders(cluster) : [];
  const figures = await loseHosts(cluster, seconds);
  problems.push(...problemsOf(figures));
  process.stdout.write(
    `three hosts, of which ${figures.kills} were lost: ${JSON.stringify(figures)}\n`,
  );
  for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await close();
}
process.exit();
