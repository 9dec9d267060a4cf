import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as requestHttp } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackup, restoreBackup } from "basehost/backup";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { writeEmail } from "../../supabase/functions/_shared/emails/email-templates.ts";
import { sampleEmails } from "../../supabase/functions/_shared/emails/sample-emails.ts";
import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import { startTestProduct } from "../support/backend-setup.ts";
import { BillingFixture, mentorPlan, type Payer } from "../support/billing.ts";
import { runSendEmails, type EmailRun } from "../support/email-runs.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { projectRoot, spawnScript } from "../support/spawn-product.ts";

// A product of its own, because a sender takes the e-mails of all accounts.
let billing: BillingFixture;
let stop: () => Promise<void>;
let sink: SmtpSink;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  sink = await startSmtpSink();
});
afterAll(async () => {
  await sink.stop();
  await stop();
});
afterEach(() => vi.restoreAllMocks());

type OutboxRow = {
  template: string;
  status: string;
  attempts: number;
  last_error: string | null;
  pause_s: number;
};

async function outbox({ id }: Payer): Promise<OutboxRow[]> {
  return await billing.sql<OutboxRow>(
    `select template, status, attempts, last_error,
       extract(epoch from next_attempt_at - clock_timestamp())::double precision as pause_s
     from private.email_outbox where user_id = $1 order by template`,
    [id],
  );
}

async function enqueue(payer: Payer, template: string, cause: string, data = {}): Promise<boolean> {
  const [row] = await billing.sql<{ added: boolean }>(
    "select private.enqueue_email($1, $2, $3, $4) as added",
    [payer.id, template, cause, data],
  );
  return row?.added === true;
}

/** Moves the next attempts into the past, as time would. */
async function passTime(): Promise<void> {
  await billing.sql(
    "update private.email_outbox set next_attempt_at = now() where status = 'pending'",
  );
}

/** One scheduled run with a mail server at this address. */
async function sendThrough(smtpUrl: string, host = billing.host): Promise<EmailRun> {
  return await runSendEmails(host, { SMTP_URL: smtpUrl });
}

const sentTo = ({ email }: Payer) => sink.all().filter(({ to }) => to === email);

describe("on an install without a mail server", () => {
  it("what a new member is sent stands in the inbox, once", async () => {
    const { ada } = await billing.member(mentorPlan);
    const service = billing.client(billing.host.serviceRoleKey);
    expect(await billing.call(service, "send-emails")).toMatchObject({
      status: 200,
      body: { sent: 2, delayed: 0, failed: 0 },
    });
    expect(await billing.call(service, "send-emails")).toMatchObject({ body: { sent: 0 } });
    const answer = await fetch(`${billing.host.url}/dev/inbox.json`);
    const caught = (await answer.json()) as { to: string; subject: string; text: string }[];
    const mine = caught.filter(({ to }) => to === ada.email);
    expect(mine.map(({ subject }) => subject).toSorted()).toEqual([
      "Welcome to Fourfold",
      "Your receipt: £100.00",
    ]);
    expect(mine.find(({ subject }) => subject.startsWith("Your receipt"))?.text).toContain(
      `${billing.host.url}/subscriptions`,
    );
    expect(await outbox(ada)).toMatchObject([
      { template: "receipt", status: "sent", attempts: 1 },
      { template: "welcome", status: "sent", attempts: 1 },
    ]);
  });

  it("every e-mail can be looked at with sample data", async () => {
    const list = await (await fetch(`${billing.host.url}/dev/emails`)).text();
    const names = [...list.matchAll(/src="\/dev\/emails\/(\w+)"/g)].map(([, name = ""]) => name);
    expect(names).toEqual(expect.arrayContaining(["welcome", "account_suspended", "recovery"]));
    for (const name of names) {
      const page = await fetch(`${billing.host.url}/dev/emails/${name}`);
      expect(page.headers.get("content-security-policy"), name).toContain("default-src 'none'");
      const html = await page.text();
      expect(html, name).toContain("You get this email because");
      expect(html, name).not.toContain("{{");
    }
  });

  it("the inbox takes e-mail from the server only", async () => {
    const { url, anonKey } = billing.host;
    const ada = await billing.payer();
    const member = (await ada.client.auth.getSession()).data.session?.access_token;
    const mail = { to: ada.email, subject: "Forged", text: "Forged" };
    for (const bearer of [anonKey, member, "nonsense", undefined]) {
      const answer = await fetch(`${url}/dev/mail`, {
        method: "POST",
        headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
        body: JSON.stringify(mail),
      });
      expect(answer.status).toBe(403);
    }
    expect(await (await fetch(`${url}/dev/inbox.json`)).text()).not.toContain("Forged");
  });
});

describe("an e-mail", () => {
  it("is sent once when its cause happens twice, and with two senders at once", async () => {
    const payers = await Promise.all(Array.from({ length: 6 }, async () => await billing.payer()));
    for (const [index, payer] of payers.entries()) {
      expect(await enqueue(payer, "welcome", `twice:${index}`)).toBe(true);
      expect(await enqueue(payer, "welcome", `twice:${index}`)).toBe(false);
    }
    await Promise.all([sendThrough(sink.url), sendThrough(sink.url)]);
    for (const payer of payers) {
      expect(sentTo(payer)).toHaveLength(1);
      expect(await outbox(payer)).toMatchObject([{ status: "sent", attempts: 1 }]);
    }
  });

  it("survives a mail server that is down for an hour, and is sent once when it is back", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const ada = await billing.payer();
    await enqueue(ada, "welcome", "outage");
    const gone = await startSmtpSink();
    await gone.stop();
    const pauses: number[] = [];
    for (let minutes = 0; minutes < 60;) {
      expect(await sendThrough(gone.url)).toEqual({ sent: 0, delayed: 1, failed: 0 });
      const [row] = await outbox(ada);
      expect(row).toMatchObject({ status: "pending", attempts: pauses.length + 1 });
      pauses.push(Math.round((row?.pause_s ?? 0) / 60));
      minutes += pauses.at(-1) ?? 0;
      // Nothing is tried before its time.
      expect(await sendThrough(gone.url)).toEqual({ sent: 0, delayed: 0, failed: 0 });
      await passTime();
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32]);
    expect(log.mock.calls.flat().join(" ")).not.toContain(ada.email);
    expect(await sendThrough(sink.url)).toEqual({ sent: 1, delayed: 0, failed: 0 });
    expect(sentTo(ada)).toHaveLength(1);
    expect(await outbox(ada)).toMatchObject([{ status: "sent", last_error: null }]);
  });

  it("of every kind is sent once, although its cause happened twice and the mail server was down", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { ada } = await billing.member(mentorPlan);
    await billing.sql("select private.make_admin($1)", [ada.id]);
    // The e-mail about a suspension is sent during one only.
    const suspended = await billing.payer();
    await billing.sql("update auth.users set banned_until = 'infinity' where id = $1", [
      suspended.id,
    ]);
    const recipient = (template: string) => (template === "account_suspended" ? suspended : ada);
    await billing.sql("delete from private.email_outbox where user_id = $1", [ada.id]);
    // A digest is written while it is sent, and only when something waits; tests/sql/digests.test.ts has its rules.
    const samples = Object.entries(sampleEmails).filter(([template]) => template !== "digest");
    for (const [template, data] of samples) {
      for (const isNew of [true, false]) {
        const to = recipient(template);
        expect(await enqueue(to, template, `kinds:${template}`, data), template).toBe(isNew);
      }
    }
    const gone = await startSmtpSink();
    await gone.stop();
    for (let time = 0; time < 3; time += 1) {
      expect(await sendThrough(gone.url)).toMatchObject({ sent: 0, failed: 0 });
      await passTime();
    }
    expect(await sendThrough(sink.url)).toEqual({ sent: samples.length, delayed: 0, failed: 0 });
    const subjects = samples.map(([name, data]) => writeEmail(name, data).subject);
    expect([...sentTo(ada), ...sentTo(suspended)].map(({ subject }) => subject).toSorted()).toEqual(
      subjects.toSorted(),
    );
  });

  it("is sent once although its result cannot be recorded at first", async () => {
    const ada = await billing.payer();
    await enqueue(ada, "welcome", "unrecorded");
    let failures = 0;
    const { host } = billing;
    const flaky = createServer((request, response) => {
      const isResult = request.url?.includes("/rpc/record_email_result") === true;
      if (isResult && failures < 2) {
        failures += 1;
        request.resume();
        response.writeHead(500).end("{}");
        return;
      }
      const target = new URL(request.url ?? "/", host.url);
      request.pipe(
        requestHttp(target, { method: request.method, headers: request.headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        }),
      );
    });
    await new Promise<void>((resolve) => flaky.listen(0, "127.0.0.1", () => resolve()));
    try {
      const url = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`;
      const round = await runSendEmails({ ...host, url }, { SMTP_URL: sink.url });
      expect(round).toEqual({ sent: 1, delayed: 0, failed: 0 });
    } finally {
      flaky.close();
      flaky.closeAllConnections();
    }
    expect(failures).toBe(2);
    await passTime();
    expect(await sendThrough(sink.url)).toEqual({ sent: 0, delayed: 0, failed: 0 });
    expect(sentTo(ada)).toHaveLength(1);
  });

  it("has the message id of its cause, also when it is queued anew", async () => {
    const [ada, ben] = [await billing.payer(), await billing.payer()];
    for (let time = 0; time < 2; time += 1) {
      await enqueue(ada, "welcome", "same cause");
      await enqueue(ben, "welcome", "other cause");
      await sendThrough(sink.url);
      await billing.sql("delete from private.email_outbox where cause_key like '% cause'");
    }
    const ids = (payer: Payer) =>
      sentTo(payer).map(({ raw }) => /^Message-ID: (<\w+@example\.test>)/im.exec(raw)?.[1]);
    // Absence notices answer no e-mail that says a program sent it.
    for (const { raw } of sentTo(ada)) expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/im);
    const [first, second] = ids(ada);
    expect(first).toBeDefined();
    expect(second).toBe(first);
    expect(ids(ben)).toEqual([expect.not.stringMatching(String(first)), ids(ben)[0]]);
  });
});

describe("an install that was restored from a backup", () => {
  it("sends nothing until the operator says so, with or without what waited", async () => {
    const ada = await billing.payer();
    await enqueue(ada, "welcome", "before the backup");
    const folder = await mkdtemp(join(tmpdir(), "fourfold-restored-"));
    const [file, dataDir] = [join(folder, "copy.tar.gz"), join(folder, "data")];
    const { host } = billing;
    await createBackup({ file, dataDir: host.dataDir, url: host.databaseUrl });
    expect(await sendThrough(sink.url)).toMatchObject({ sent: 1 });
    const migrationsFolder = join(projectRoot, "supabase", "migrations");
    const otherNames = ["sandbox.json", "demo.json"];
    await restoreBackup({ file, dataDir, migrationsFolder, replace: false, otherNames });
    const restored = await startTestProduct({ DATA_DIR: dataDir });
    const copy = new BillingFixture(restored.running, restored.sandbox);
    const command = async (name: string) => {
      const emails = join(projectRoot, "tools", "emails.ts");
      const spawned = spawnScript([emails, name], { DATA_DIR: dataDir }, folder);
      expect(await spawned.ended, spawned.output()).toBe(0);
      return spawned.output();
    };
    const send = async () => await sendThrough(sink.url, restored.running);
    const queue = async (cause: string) =>
      await copy.sql("select private.enqueue_email($1, 'welcome', $2)", [ada.id, cause]);
    try {
      await queue("after the restore");
      expect(await send()).toEqual({ sent: 0, delayed: 0, failed: 0 });
      expect(await command("discard")).toContain("2 that waited are discarded");
      await queue("later");
      expect(await send()).toEqual({ sent: 1, delayed: 0, failed: 0 });
      await command("pause");
      await queue("while paused");
      expect(await send()).toEqual({ sent: 0, delayed: 0, failed: 0 });
      expect(await command("resume")).toContain("1 that waited go out now");
      expect(await send()).toEqual({ sent: 1, delayed: 0, failed: 0 });
    } finally {
      await copy.close();
      await restored.stop();
      await rm(folder, { recursive: true, force: true });
    }
    expect(sentTo(ada)).toHaveLength(3);
  });
});
