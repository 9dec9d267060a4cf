import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { BillingFixture } from "../support/billing.ts";
import { runSendEmails } from "../support/email-runs.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";

// A product of its own, because a sender takes the e-mails of all accounts.
let billing: BillingFixture;
let stop: () => Promise<void>;
const sinks: SmtpSink[] = [];
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
beforeEach(async () => {
  await billing.sql("delete from private.email_outbox");
});
afterEach(async () => {
  await Promise.all(sinks.splice(0).map(async (sink) => await sink.stop()));
  vi.restoreAllMocks();
});

async function openSink(behaviour: Parameters<typeof startSmtpSink>[0]): Promise<SmtpSink> {
  const sink = await startSmtpSink(behaviour);
  sinks.push(sink);
  return sink;
}

/** Accounts with an e-mail each, by direct SQL. */
async function queue(count: number): Promise<void> {
  await billing.sql(
    `with person as (
       insert into auth.users (id, email, email_confirmed_at)
       select p, p || '@example.test', now() from (select gen_random_uuid() as p from generate_series(1, $1::int)) s
       returning id
     )
     select private.enqueue_email(id, 'identity_attempts_reset', 'senders:' || id) from person`,
    [count],
  );
}

async function outbox(): Promise<{ status: string; attempts: number; pause: number }[]> {
  return await billing.sql(
    `select status, attempts, round(extract(epoch from next_attempt_at - clock_timestamp()) / 60)::int as pause
     from private.email_outbox`,
  );
}

async function passTime(): Promise<void> {
  await billing.sql(
    "update private.email_outbox set next_attempt_at = now() where status = 'pending'",
  );
}

const run = async (sink: SmtpSink, env: Record<string, string> = {}) =>
  await runSendEmails(billing.host, { SMTP_URL: sink.url, ...env });

/** Each e-mail that arrived, twice when it came twice. */
const arrived = (...all: SmtpSink[]) => all.flatMap((sink) => sink.all()).map(({ to }) => to);

it("several go to the mail server side by side, as many as the setting says", async () => {
  const sink = await openSink({ latencyMs: 5 });
  await queue(20);
  expect(await run(sink)).toEqual({ sent: 20, delayed: 0, failed: 0 });
  expect(sink.mostOpen()).toBe(5);
  expect(new Set(arrived(sink)).size).toBe(20);
  const narrow = await openSink({ latencyMs: 5 });
  await queue(6);
  expect(await run(narrow, { SMTP_CONNECTIONS: "1" })).toMatchObject({ sent: 6 });
  expect(narrow.mostOpen()).toBe(1);
});

it("two hosts at once send each e-mail exactly once", async () => {
  const [one, two] = [await openSink({ latencyMs: 5 }), await openSink({ latencyMs: 5 })];
  await queue(60);
  const results = await Promise.all([run(one), run(two)]);
  expect(results[0].sent + results[1].sent).toBe(60);
  // Both worked, or the test would show nothing.
  for (const { sent } of results) expect(sent).toBeGreaterThan(0);
  const all = arrived(one, two);
  expect(all).toHaveLength(60);
  expect(new Set(all).size).toBe(60);
  for (const row of await outbox()) expect(row).toMatchObject({ status: "sent", attempts: 1 });
});

it("a mail server that is down costs one attempt, whatever the number of senders", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const gone = await startSmtpSink();
  await gone.stop();
  await queue(12);
  expect(await run(gone)).toEqual({ sent: 0, delayed: 1, failed: 0 });
  const tried = (await outbox()).filter((row) => row.attempts > 0);
  expect(tried).toEqual([{ status: "pending", attempts: 1, pause: 1 }]);
});

it("one that goes down while they work costs one attempt, and each e-mail is sent once when it is back", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  await queue(30);
  const dying = await openSink({ latencyMs: 5 });
  const stopped = vi.waitFor(() => expect(dying.all().length).toBeGreaterThanOrEqual(6), {
    timeout: 60_000,
    interval: 1,
  });
  const running = run(dying);
  await stopped;
  await dying.stop();
  const result = await running;
  const rows = await outbox();
  const waiting = rows.filter(({ status }) => status === "pending");
  expect(result.sent).toBe(rows.length - waiting.length);
  expect(waiting.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(1);
  await passTime();
  const back = await openSink({});
  expect(await run(back)).toMatchObject({ sent: waiting.length });
  expect(new Set(arrived(dying, back)).size).toBe(30);
});

it.each([
  [
    "a greeting of 421",
    (line: string, place: number) =>
      line === "" && place > 2 ? "421 4.7.0 Too many connections" : undefined,
  ],
  [
    "421 for an e-mail",
    (line: string, place: number) =>
      line.startsWith("MAIL") && place > 2 ? "421 4.4.5 try again later" : undefined,
  ],
  [
    "a temporary refusal",
    (line: string, place: number) =>
      line.startsWith("MAIL") && place > 2 ? "454 4.7.0 too many concurrent sessions" : undefined,
  ],
])("a server that takes two connections gets two, told by %s", async (_how, answer) => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const sink = await openSink({ latencyMs: 5, answer });
  await queue(40);
  const { sent, delayed } = await run(sink);
  // Three of five senders end, at most, and what they had waits for a minute without an attempt.
  expect(delayed).toBeGreaterThan(0);
  expect(delayed).toBeLessThanOrEqual(3);
  expect(sent).toBe(40 - delayed);
  const rest = (await outbox()).filter(({ status }) => status === "pending");
  expect(rest).toEqual(
    Array.from({ length: delayed }, () => ({ status: "pending", attempts: 0, pause: 1 })),
  );
  expect(log.mock.calls.flat().join(" ")).not.toContain("@example.test");
  await passTime();
  const calm = await openSink({});
  await run(calm);
  expect(arrived(sink, calm)).toHaveLength(40);
  expect(new Set(arrived(sink, calm)).size).toBe(40);
});

it("an address that is refused, and one that is refused for now, stop nobody", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  await queue(20);
  const [bad, grey] = await billing.sql<{ address: string }>(
    "select u.email as address from private.email_outbox o join auth.users u on u.id = o.user_id order by o.next_attempt_at, o.id limit 2",
  );
  const sink = await openSink({
    answer: (line) => {
      if (line.includes(`<${bad?.address}>`) && line.startsWith("RCPT"))
        return "550 5.1.1 no such user";
      return line.includes(`<${grey?.address}>`) && line.startsWith("RCPT")
        ? "450 4.2.0 greylisted"
        : undefined;
    },
  });
  expect(await run(sink)).toEqual({ sent: 18, delayed: 2, failed: 0 });
  const rest = (await outbox()).filter(({ status }) => status === "pending");
  expect(rest).toEqual([1, 1].map((attempts) => ({ status: "pending", attempts, pause: 1 })));
});

it("a run takes no more e-mails than the setting says", async () => {
  const sink = await openSink({});
  await queue(12);
  expect(await run(sink, { EMAILS_PER_RUN: "7" })).toMatchObject({ sent: 7 });
  expect(await run(sink, { EMAILS_PER_RUN: "7" })).toMatchObject({ sent: 5 });
});

it("a number that is none ends the run before an e-mail is taken", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const sink = await openSink({});
  await queue(1);
  for (const wrong of ["0", "51", "many", "2.5"]) {
    expect(await run(sink, { SMTP_CONNECTIONS: wrong })).toMatchObject({ code: "internal_error" });
  }
  expect(log.mock.calls.flat().join(" ")).toContain("SMTP_CONNECTIONS is not a whole number");
  expect(await outbox()).toMatchObject([{ status: "pending", attempts: 0 }]);
});
