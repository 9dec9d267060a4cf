import { fileURLToPath } from "node:url";
import pg from "pg";
import { runSendEmails } from "../tests/support/email-runs.ts";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import { startSmtpSink } from "../tests/support/smtp-sink.ts";
import type { Finding } from "./rest-read.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Milliseconds the mail server takes for each answer, of which an e-mail needs four. */
const latencyMs = 50;
const emailCount = 400;
/** How many times as many e-mails five senders bring to it in the same time as one. */
const minRatio = 3;

const fillSql = `
  with person as (
    insert into auth.users (id, email, email_confirmed_at)
    select p, p || '@example.test', now() from (select gen_random_uuid() as p from generate_series(1, $1::int)) s
    returning id
  )
  select private.enqueue_email(id, 'identity_attempts_reset', 'bench:' || id) from person`;

/** E-mails an hour of the scheduled function against a mail server 50 ms away: with five senders against one, in the same run. */
export async function benchMailSenders(): Promise<Finding> {
  const { running, stop } = await startFixtureHost({}, root);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  await owner.connect();
  try {
    const perHour = async (connections: number) => {
      const sink = await startSmtpSink({ latencyMs });
      await owner.query(fillSql, [emailCount]);
      const startedAt = performance.now();
      const cpu = process.cpuUsage();
      const env = { SMTP_URL: sink.url, SMTP_CONNECTIONS: String(connections) };
      const { sent } = await runSendEmails(running, env);
      const hours = (performance.now() - startedAt) / 3_600_000;
      const { user, system } = process.cpuUsage(cpu);
      await sink.stop();
      return { rate: sent / hours, cpuMs: (user + system) / 1000 / sent };
    };
    await perHour(5);
    const [one, five] = [await perHour(1), await perHour(5)];
    const ratio = five.rate / one.rate;
    const thousands = (rate: number) => Math.round(rate / 1000);
    return {
      title: `e-mails to a mail server ${latencyMs} ms away`,
      figures:
        `${thousands(one.rate)},000 an hour with one sender, ${thousands(five.rate)},000 with five, ` +
        `ratio ${ratio.toFixed(1)} (at least ${minRatio}); ${five.cpuMs.toFixed(1)} ms of the processor each`,
      holds: ratio >= minRatio,
    };
  } finally {
    await owner.end();
    await stop();
  }
}
