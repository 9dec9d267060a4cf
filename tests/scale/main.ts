import { parseArgs } from "node:util";
import { runInTurn } from "./in-turn.ts";
import { lostHosts, pooled, troubled, turnedKeys, type KindOutcome } from "./parts.ts";

const usage = `Usage: npm run scale [-- KIND] [--seconds 30–600]
  without a kind  all of it in turn, but --haproxy, which --redis has
  --short         --haproxy for 30 s, and --keys
  --redis         loses decoders, Redis and hosts behind HAProxy (with --nginx behind nginx)
  --haproxy       loses hosts
  --nginx         loses hosts behind nginx
  --pooler        works behind PgBouncer with a replica
  --troubles      lets everything fail that monitoring has to tell
  --keys          replaces secrets and signing keys host by host, and signs in over several hosts
`;

/** All of it, within a quarter of an hour on two processors. */
const whole = [
  ["--redis", "--seconds", "50"],
  ["--nginx", "--seconds", "40"],
  ["--pooler", "--seconds", "30"],
  ["--troubles"],
  ["--keys"],
];
const short = [["--haproxy", "--seconds", "30"], ["--keys"]];

const isOff = { type: "boolean", default: false } as const;

function readArguments() {
  try {
    return parseArgs({
      options: {
        seconds: { type: "string" },
        short: isOff,
        haproxy: isOff,
        redis: isOff,
        nginx: isOff,
        pooler: isOff,
        troubles: isOff,
        keys: isOff,
      },
    }).values;
  } catch {
    return undefined;
  }
}

const values = readArguments();
const seconds = Number(values?.seconds ?? 80);
const { redis = false, nginx = false, haproxy = false, pooler = false } = values ?? {};
const { troubles = false, keys = false, short: isShort = false } = values ?? {};
const kinds = [redis || nginx, haproxy, pooler, troubles, keys, isShort].filter(Boolean).length;
if (values === undefined || kinds > 1 || !(seconds >= 30 && seconds <= 600)) {
  process.stderr.write(usage);
  process.exit(1);
}

async function runOne(): Promise<KindOutcome> {
  if (troubles) return await troubled();
  if (pooler) return await pooled(seconds);
  if (keys) return await turnedKeys();
  return await lostHosts(nginx ? "nginx" : "haproxy", redis, seconds);
}

/** Hands the figures, or why there are none, to the run of all kinds, where this is a part of one. */
async function tellParent(figures: string): Promise<void> {
  if (process.send === undefined) return;
  await new Promise((resolve) => process.send?.(figures, resolve));
}

/** Runs one kind. @returns the exit code */
async function runAlone(): Promise<0 | 1> {
  const { figures, problems } = await runOne();
  await tellParent(figures);
  for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

if (isShort) process.exit(await runInTurn(short));
if (kinds === 0) {
  const given = values.seconds === undefined ? [] : ["--seconds", values.seconds];
  process.exit(await runInTurn(whole.map((args) => [...args, ...given])));
}
const code = await runAlone().catch(async (error: unknown) => {
  const said = error instanceof Error ? error : new Error(String(error));
  await tellParent(said.message);
  process.stdout.write(`failed: ${said.stack ?? said.message}\n`);
  return 1 as const;
});
process.exit(code);
