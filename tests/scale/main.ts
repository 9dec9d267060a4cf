import { runInTurn } from "./in-turn.ts";
import { lostHosts, pooled, troubled, turnedKeys, type KindOutcome } from "./parts.ts";
import { readArguments, usage } from "./read-arguments.ts";

const read = readArguments(process.argv.slice(2));
if (read === undefined) {
  process.stderr.write(usage);
  process.exit(1);
}
const { kind, redis, nginx, seconds } = read;

/** How long a kind alone takes parts away, unless told. */
const secondsAlone = 80;
/** All of it, within a quarter of an hour on two processors. */
const whole = [
  ["--redis", "--seconds", String(seconds ?? 50)],
  ["--nginx", "--seconds", String(seconds ?? 40)],
  ["--pooler", "--seconds", String(seconds ?? 30)],
  ["--troubles"],
  ["--keys"],
];
const short = [["--haproxy", "--seconds", "30"], ["--keys"]];

async function runOne(): Promise<KindOutcome> {
  if (kind === "troubles") return await troubled();
  if (kind === "pooler") return await pooled(seconds ?? secondsAlone);
  if (kind === "keys") return await turnedKeys();
  return await lostHosts(nginx ? "nginx" : "haproxy", redis, seconds ?? secondsAlone);
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

if (kind === "short") process.exit(await runInTurn(short));
if (kind === "all") process.exit(await runInTurn(whole));
const code = await runAlone().catch(async (error: unknown) => {
  const said = error instanceof Error ? error : new Error(String(error));
  await tellParent(said.message);
  process.stdout.write(`failed: ${said.stack ?? said.message}\n`);
  return 1 as const;
});
process.exit(code);
