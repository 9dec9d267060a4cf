// Troubles of one host with everything on it: the mail server, the card provider, a job, and the disk.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { statfsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BillingFixture, studentPlan, type Payer } from "../../support/billing.ts";
import { newEmail, testPassword } from "../../support/test-account.ts";
import { startSmtpSink } from "../../support/smtp-sink.ts";
import { finishOnboarding, onePixelPng } from "../../../tools/demo/join.ts";
import { postTo, roomOf } from "./messages.ts";
import type { Trouble } from "./trouble.ts";
import { projectWith } from "./project-with.ts";
import { startTroubledHost, type TroubledHost } from "./troubled-host.ts";

/** Much more than a new install needs, of memory. */
const diskBytes = 1536 * 1024 * 1024;
const schedules = {
  "send-emails": 2,
  "billing-reconcile": 3,
  "expire-room-leases": 2,
};

/** One host on a small disk of its own. */
export interface OneHost {
  host: TroubledHost;
  troubles: Trouble[];
  close: () => Promise<void>;
}

/** A disk in memory; undefined where this account may not mount one. */
async function mountDisk(folder: string): Promise<(() => void) | undefined> {
  await mkdir(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${diskBytes}`, "tmpfs", folder], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  return () => execFileSync("umount", ["-l", folder], { stdio: "ignore" });
}

async function poll(is: () => Promise<boolean>, longestMs = 60_000): Promise<boolean> {
  const until = performance.now() + longestMs;
  while (performance.now() < until) {
    if (await is()) return true;
    await sleep(500);
  }
  return false;
}

/** An account without a link in an e-mail, because the mail server may be down. */
async function accountOf(billing: BillingFixture): Promise<Payer> {
  const account = { email: newEmail(), password: testPassword };
  const { auth } = billing.client(billing.host.serviceRoleKey);
  const made = await auth.admin.createUser({ ...account, email_confirm: true });
  if (made.error) throw made.error;
  const client = billing.client(billing.host.anonKey);
  const signedIn = await client.auth.signInWithPassword(account);
  if (signedIn.error) throw signedIn.error;
  const { id } = made.data.user;
  const profile = { id, onboarding_complete: false, role: "student" };
  const { error } = await client.from("profiles").insert(profile);
  if (error) throw new Error(error.message);
  return { id, email: account.email, client };
}

async function memberOf(billing: BillingFixture, plan = studentPlan): Promise<Payer> {
  const payer = await accountOf(billing);
  const { status } = await billing.pay(payer, plan);
  if (status !== 200) throw new Error(`a payment was answered with ${status}`);
  await billing.deliverWebhooks();
  await finishOnboarding(payer.client, payer.id, {
    firstName: "Ada",
    lastName: "Byron",
    occupation: "Engineer",
    bio: "Counts.",
  });
  return payer;
}

/** Starts the host and gives what may happen to it. */
export async function startOneHost(): Promise<OneHost> {
  const folder = await mkdtemp(join(tmpdir(), "troubles-"));
  const disk = join(folder, "disk");
  const unmount = await mountDisk(disk);
  const project = await projectWith(schedules);
  let isMailDown = false;
  const sink = await startSmtpSink({
    answer: () => (isMailDown ? "421 the mail server is down" : undefined),
  });
  const clean = async () => {
    await sink.stop();
    await project.remove();
    unmount?.();
    await rm(folder, { recursive: true, force: true });
  };
  const host = await startTroubledHost("one", project.root, {
    DATA_DIR: join(disk, "data"),
    SMTP_URL: sink.url,
    MAIL_FROM: "Fourfold <hello@example.test>",
  }).catch(async (error: unknown) => {
    await clean();
    throw error;
  });
  const billing = new BillingFixture(host.running, host.sandbox);
  const close = async () => {
    await billing.close();
    await host.kill();
    await clean();
  };
  /** Asks for an e-mail that is sent at once; an address gets one a minute. */
  const signUp = async () => {
    const email = newEmail();
    await billing.client(host.running.anonKey).auth.signUp({ email, password: testPassword });
    return email;
  };
  const passTime = async () =>
    await billing.sql(
      "update private.email_outbox set next_attempt_at = now() where status = 'pending'",
    );
  const pendingMails = async () => {
    const [row] = await billing.sql<{ count: number }>(
      "select count(*)::int as count from private.email_outbox where status = 'pending'",
    );
    return row?.count ?? 0;
  };

  const ada = await memberOf(billing);
  await poll(async () => (await pendingMails()) === 0);
  const common = { hosts: [host], at: host };

  let buyer: Payer | undefined;
  const mail: Trouble = {
    ...common,
    name: "mail down",
    part: "mail",
    alerts: ["MailIsStuck", "MailServerIsDown"],
    shows: /^auth_email_failures [3-9]/m,
    inject: async () => {
      isMailDown = true;
      await Promise.resolve();
    },
    meanwhile: async () => {
      // A member who joins and pays gets a welcome and a receipt, and four visitors sign up.
      buyer = await memberOf(billing);
      for (let time = 0; time < 4; time++) await signUp();
      await billing.sql(
        "update private.email_outbox set created_at = created_at - interval '20 minutes' where status = 'pending'",
      );
    },
    mend: async () => {
      isMailDown = false;
      await passTime();
      await sink.next(await signUp());
    },
    lost: async () => {
      const isSent = await poll(async () => {
        await passTime();
        return (await pendingMails()) === 0;
      });
      const wanted = await billing.sql<{ template: string; status: string }>(
        "select template, status from private.email_outbox where user_id = $1",
        [buyer?.id],
      );
      const subjects = sink
        .all()
        .filter(({ to }) => to === buyer?.email)
        .map(({ subject }) => subject);
      const sent = wanted.filter(({ status }) => status === "sent");
      return [
        ...(isSent ? [] : ["e-mails are still waiting"]),
        ...(wanted.length === 0 ? ["nothing was queued"] : []),
        ...(sent.length === subjects.length
          ? []
          : [`${sent.length} e-mails, ${subjects.length} arrived: ${subjects.join("; ")}`]),
        ...(new Set(subjects).size === subjects.length ? [] : ["an e-mail arrived twice"]),
        ...wanted
          .filter(({ status }) => status === "failed")
          .map((w) => `${w.template} was given up`),
      ];
    },
  };

  let lapsing: Payer | undefined;
  let payer: Payer | undefined;
  let [answered, cancelled] = [0, ""];
  const provider: Trouble = {
    ...common,
    name: "provider down",
    part: "jobs",
    alerts: ["ProviderIsAway"],
    shows: /^schedule_last_count\{function="billing-reconcile",count="failed"\} [1-9]/m,
    inject: async () => {
      // What happens at the provider meanwhile is told afterwards.
      lapsing = await memberOf(billing);
      payer = await accountOf(billing);
      await billing.control("/webhooks/pause", {});
      cancelled = String((await billing.subscription(lapsing))?.["subscription_id"]);
      await billing.stripe.subscriptions.update(cancelled, { cancel_at_period_end: true });
      await billing.control("/faults", { when: "before", action: "drop", times: 1000 });
    },
    meanwhile: async () => {
      if (payer) answered = (await billing.pay(payer, studentPlan)).status;
    },
    mend: async () => {
      await billing.clearFailures();
      await billing.control("/webhooks/resume", {});
    },
    lost: async () => {
      if (payer === undefined || lapsing === undefined) return ["nothing was tried"];
      await billing.deliverWebhooks();
      const { status } = await billing.pay(payer, studentPlan);
      await billing.deliverWebhooks();
      const { live, paid } = await billing.atProvider(payer);
      const row = await billing.subscription(lapsing);
      return [
        ...(answered === 502 || answered === 503
          ? []
          : [`a payment was answered with ${answered}`]),
        ...(status === 200 ? [] : [`the repeated payment was answered with ${status}`]),
        ...(live.length === 1 && paid.length === 1
          ? []
          : [`${live.length} subscriptions, ${paid.length} payments`]),
        ...((await billing.isMember(payer)) ? [] : ["who paid is no member"]),
        ...(row?.["cancel_at_period_end"] === true ? [] : ["the cancellation was not applied"]),
      ];
    },
  };

  const leases = async () =>
    (await billing.sql("select from private.room_leases where user_id = $1", [ada.id])).length;
  const job: Trouble = {
    ...common,
    name: "job throwing",
    part: "jobs",
    alerts: ["ScheduleFails"],
    isCounted: true,
    shows: /^schedule_runs_total\{function="expire-room-leases",outcome="failed"\} [5-9]/m,
    inject: async () => {
      await billing.sql("revoke execute on function public.expire_room_leases from service_role");
    },
    meanwhile: async () => {
      const { error } = await ada.client.rpc("increment_participant_count", { room_id: roomOf });
      if (error) throw new Error(error.message);
      await billing.sql("update private.room_leases set expires_at = now() where user_id = $1", [
        ada.id,
      ]);
    },
    mend: async () => {
      await billing.sql("grant execute on function public.expire_room_leases to service_role");
    },
    lost: async () =>
      (await poll(async () => (await leases()) === 0)) ? [] : ["the job did not catch up"],
  };

  const filler = join(disk, "filler");
  const written: string[] = [];
  const refused: string[] = [];
  const full: Trouble = {
    ...common,
    name: "disk full",
    part: "disk",
    alerts: ["DiskFillsUp", "DiskIsFull"],
    shows: /^disk_free_bytes\{folder="data"\} 0$/m,
    inject: async () => {
      written.push((await postTo(ada)).id);
      const { bavail, bsize } = statfsSync(disk);
      execFileSync("fallocate", ["-l", String(bavail * bsize), filler]);
    },
    meanwhile: async () => {
      for (let time = 0; time < 20; time++) {
        const { id, error } = await postTo(ada);
        if (error === undefined) written.push(id);
        else refused.push(error);
      }
      const path = `${ada.id}/${randomUUID()}.png`;
      const bytes = new Blob([onePixelPng], { type: "image/png" });
      const { error } = await ada.client.storage.from("profile-pictures").upload(path, bytes);
      if (error) refused.push(error.message);
    },
    mend: async () => await rm(filler, { force: true }),
    lost: async () => {
      const rows = await billing.sql<{ id: string }>(
        "select id from public.chat_messages where id = any ($1::uuid[])",
        [written],
      );
      const later = await postTo(ada);
      process.stdout.write(
        `disk full: ${written.length} messages taken, refused: ${[...new Set(refused)].join("; ")}\n`,
      );
      return [
        ...(rows.length === written.length
          ? []
          : [`${written.length - rows.length} messages are gone`]),
        ...(later.error === undefined ? [] : [`afterwards: ${later.error}`]),
        ...(statfsSync(disk).bavail > 0 ? [] : ["the disk is still full"]),
      ];
    },
  };
  if (unmount === undefined)
    process.stdout.write("disk full: left out, because this account may mount no disk\n");
  return { host, troubles: [mail, provider, job, ...(unmount ? [full] : [])], close };
}
