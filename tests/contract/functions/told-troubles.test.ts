import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createClient } from "@supabase/supabase-js";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startSmtpSink, type SmtpSink } from "../../support/smtp-sink.ts";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { newEmail, testPassword } from "../../support/test-account.ts";
import { timeLimitMs } from "../../support/time-limits.ts";

// `npm run scale -- --troubles` brings all eight troubles over the product; these need no server besides.

/** What goes wrong now. */
const troubled = { job: false, provider: false, mail: false };
const lines: { level: number; part?: string; msg: string }[] = [];
const log = pino(
  { level: "info" },
  new Writable({
    write: (text: Buffer, _, done) => {
      lines.push(JSON.parse(text.toString()) as (typeof lines)[number]);
      done();
    },
  }),
);
let folder: string;
let mail: SmtpSink;
let host: Awaited<ReturnType<typeof startFixtureHost>>;

const jobs = {
  toil: `if (globalThis.troubled.job) throw new Error("gone"); return new Response("ok");`,
  compare: `return Response.json({ checked: 9, failed: globalThis.troubled.provider ? 4 : 0 });`,
};

beforeAll(async () => {
  Object.assign(globalThis, { troubled });
  folder = await mkdtemp(join(tmpdir(), "told-troubles-"));
  const functions = join(folder, "supabase", "functions");
  for (const [name, code] of Object.entries(jobs)) {
    await mkdir(join(functions, name), { recursive: true });
    await writeFile(join(functions, name, "handler.ts"), `export default async () => { ${code} };`);
  }
  const schedules = Object.keys(jobs).map((name) => ({ function: name, every_seconds: 1 }));
  await writeFile(join(functions, "schedules.json"), JSON.stringify(schedules));
  mail = await startSmtpSink({ answer: () => (troubled.mail ? "421 down" : undefined) });
  const env = { METRICS_PORT: "0", SMTP_URL: mail.url, MAIL_FROM: "Us <us@example.test>" };
  host = await startFixtureHost(env, folder, { log, secondMs: 200 });
});
afterAll(async () => {
  await host.stop();
  await mail.stop();
  await rm(folder, { recursive: true, force: true });
});

const figures = async () =>
  await (await fetch(`http://127.0.0.1:${host.host.metricsPort}/metrics`)).text();
const shown = async (figure: RegExp) =>
  await vi.waitFor(async () => expect(await figures()).toMatch(figure), {
    timeout: timeLimitMs(30),
    interval: 200,
  });
const failedRuns = async () => {
  const [, runs] =
    /^schedule_runs_total\{function="toil",outcome="failed"\} (\d+)/m.exec(await figures()) ?? [];
  return Number(runs);
};
/** Lines that name a part, without those of other parts. */
const told = (level: number) =>
  lines.filter((line) => line.level === level && line.part !== undefined).map(({ part }) => part);
const toldOf = async (level: number, ...parts: string[]) =>
  await vi.waitFor(() => expect(new Set(told(level))).toEqual(new Set(parts)), {
    timeout: timeLimitMs(30),
    interval: 200,
  });

async function signUp(): Promise<string> {
  const email = newEmail();
  const { auth } = createClient(host.running.url, host.running.anonKey);
  const { error } = await auth.signUp({ email, password: testPassword });
  if (error) throw error;
  return email;
}

test("a job that throws, a provider that is away and a mail server that refuses are shown, told once each, and told to be over", async () => {
  await shown(/^schedule_runs_total\{function="toil",outcome="succeeded"\} [1-9]/m);
  Object.assign(troubled, { job: true, provider: true, mail: true });
  for (let time = 0; time < 3; time++) await signUp();
  await shown(/^schedule_runs_total\{function="toil",outcome="failed"\} [1-9]/m);
  await shown(/^schedule_last_count\{function="compare",count="failed"\} 4$/m);
  await shown(/^auth_email_failures 3$/m);
  await toldOf(50, "jobs", "mail");
  // Two looks later, of which each comes ten runs of the job after the one before, nothing was told again.
  const failed = await failedRuns();
  await vi.waitFor(async () => expect(await failedRuns()).toBeGreaterThan(failed + 25), {
    timeout: timeLimitMs(30),
    interval: 200,
  });
  Object.assign(troubled, { job: false, provider: false, mail: false });
  expect(await mail.next(await signUp())).toBeTruthy();
  await shown(/^auth_email_failures 0$/m);
  await toldOf(30, "jobs", "mail");
  // One that was seen before it had failed three times is told of at both levels.
  for (const level of [40, 50]) expect(told(level)).toEqual([...new Set(told(level))]);
});
