import { createHmac } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { studentPlan } from "../support/billing.ts";
import { blocksOf, readDeployDocument, sectionOf } from "../support/deploy-document.ts";
import { copyPrepared } from "../support/prepared-folders.ts";
import { enrollSecondFactor, enterCode, type EnrolledFactor } from "../support/second-factor.ts";
import { startSharedSandbox } from "../support/shared-sandbox.ts";
import { newEmail, testPassword } from "../support/test-account.ts";
import { timeLimitMs } from "../support/time-limits.ts";
import { billingAt } from "../support/typed-billing.ts";
import { TypedInstall } from "../support/typed-install.ts";

const documentedKeyFile = "/var/lib/fourfold/signing_keys.json";
const authOptions = { persistSession: false, autoRefreshToken: false, storageKey: "rotation" };

let folder = "";
let install: TypedInstall;
let url = "";
/** The blocks of docs/deploy.md on rotating, in their order. */
let steps: string[] = [];
/** The one that goes into `.env` by hand. */
let webhookStep = "";
/** What the document says about the card provider's secret key. */
let secretKeyStep = "";

/** The next documented block, which has to be about `subject`. */
async function nextStep(subject: string): Promise<void> {
  const block = steps.shift() ?? "";
  expect(block).toContain(subject);
  await install.typeAll(block);
}

interface PublicConfig {
  supabaseAnonKey: string;
  vapidPublicKey: string;
}

async function publicConfig(): Promise<PublicConfig> {
  return (await (await fetch(`${url}/config.json`)).json()) as PublicConfig;
}

async function tokenOf(tab: SupabaseClient): Promise<string> {
  return (await tab.auth.getSession()).data.session?.access_token ?? "";
}

/** Whether the token of a tab is good, asked of the API. */
async function isServed(tab: SupabaseClient): Promise<boolean> {
  const { error } = await tab.from("profiles").select("id").limit(1);
  if (error !== null) expect(error.code).toBe("PGRST301");
  return error === null;
}

/** A tab whose token was refused gets another one for its session, and is served. */
async function goesOn(tab: SupabaseClient): Promise<void> {
  expect((await tab.auth.refreshSession()).error).toBeNull();
  expect(await isServed(tab)).toBe(true);
}

const doctorSays = async (text: string) => expect(await install.doctor()).toContain(text);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rotation-document-"));
  await copyPrepared("product", join(folder, "data"));
  const text = await readDeployDocument();
  secretKeyStep = sectionOf(text, "_The card provider's secret key._", "**Several hosts");
  steps = blocksOf(sectionOf(text, "**Rotating secrets.**", "**Several hosts"), "sh");
  const isWebhookStep = (block: string) => block.startsWith("STRIPE_WEBHOOK_SECRET=");
  webhookStep = steps.find(isWebhookStep) ?? "";
  steps = steps.filter((block) => !isWebhookStep(block));
  const keyFile = join(folder, "signing_keys.json");
  install = await TypedInstall.make(folder, { [documentedKeyFile]: keyFile });
  url = install.url;
  await install.keepDataKey();
  await install.start();
}, timeLimitMs(180));
afterAll(async () => {
  await install.stop();
  await rm(folder, { recursive: true, force: true });
});

it(
  "docs/deploy.md rotates every key of a running install, and members stay signed in",
  { timeout: timeLimitMs(300) },
  async () => {
    const config = await publicConfig();
    const tab = createClient(url, config.supabaseAnonKey, { auth: authOptions });
    const account = { email: newEmail(), password: testPassword };
    await tab.auth.signUp(account);
    const factors: EnrolledFactor[] = [
      await enrollSecondFactor(tab, "Phone"),
      await enrollSecondFactor(tab, "Tablet"),
      await enrollSecondFactor(tab, "Laptop"),
    ];
    // Each factor gives two codes within a minute, and its enrolment took the first.
    const enterNextCode = async (client: SupabaseClient) => {
      const factor = factors.shift();
      await enterCode(client, factor?.id ?? "", factor?.nextCode() ?? "");
    };

    const bySecret = await tokenOf(tab);
    await nextStep("rotate jwt-secret ");
    expect(await tokenOf(tab)).toBe(bySecret);
    expect(await isServed(tab)).toBe(true);
    await doctorSays("in rotation: SUPABASE_JWT_SECRET_PREVIOUS is set");
    await nextStep("revoke jwt-secret ");
    expect(await isServed(tab)).toBe(false);
    await goesOn(tab);
    await enterNextCode(tab);
    const { supabaseAnonKey, vapidPublicKey } = config;
    expect(await publicConfig()).toMatchObject({ supabaseAnonKey, vapidPublicKey });

    await nextStep("rotate data-key");
    expect(await isServed(tab)).toBe(true);
    expect((await publicConfig()).vapidPublicKey).toBe(vapidPublicKey);
    await goesOn(tab);
    await doctorSays("in rotation: DATA_KEY_PREVIOUS is set");
    const session = (await tab.auth.getSession()).data.session;
    await nextStep("revoke data-key");
    const after = await publicConfig();
    expect(after.vapidPublicKey).toBe(vapidPublicKey);
    expect(after.supabaseAnonKey).not.toBe(supabaseAnonKey);
    const reloaded = createClient(url, after.supabaseAnonKey, { auth: authOptions });
    await reloaded.auth.setSession(session ?? { access_token: "", refresh_token: "" });
    await goesOn(reloaded);
    await enterNextCode(reloaded);
    await nextStep("sign-out all --yes");
    expect((await reloaded.auth.refreshSession()).error).not.toBeNull();
    expect((await reloaded.auth.signInWithPassword(account)).error).toBeNull();
    await enterNextCode(reloaded);

    const kidOf = async () => decodeProtectedHeader(await tokenOf(reloaded)).kid;
    await nextStep("SUPABASE_AUTH_SIGNING_KEYS_PATH=");
    const publishAndRotate = steps.slice(0, 2);
    await nextStep("add signing-key");
    expect((await stat(join(folder, "signing_keys.json"))).mode & 0o777).toBe(0o600);
    await goesOn(reloaded);
    expect(await kidOf()).toBeUndefined();
    await nextStep("rotate signing-key");
    expect(await isServed(reloaded)).toBe(true);
    await goesOn(reloaded);
    const first = await kidOf();
    expect(first).toBeDefined();
    steps.unshift(...publishAndRotate);
    await nextStep("add signing-key");
    await goesOn(reloaded);
    expect(await kidOf()).toBe(first);
    await nextStep("rotate signing-key");
    expect(await isServed(reloaded)).toBe(true);
    await doctorSays(`signing key ${first ?? ""} (ES256) is previous`);
    const byFirst = await tokenOf(reloaded);
    await nextStep("revoke signing-key");
    expect(await tokenOf(reloaded)).toBe(byFirst);
    expect(await isServed(reloaded)).toBe(false);
    await goesOn(reloaded);
    expect(await kidOf()).not.toBe(first);
    expect((await reloaded.auth.getClaims()).data?.header.kid).toBe(await kidOf());
    await doctorSays("keys         signing key");
    expect(steps).toEqual([]);
  },
);

it(
  "docs/deploy.md turns the webhook secret, and an event signed by either is taken meanwhile",
  { timeout: timeLimitMs(120) },
  async () => {
    const [old, next] = ["whsec_theOldOneOfATest", "whsec_theNewOneOfATest"];
    /** The status for an event that nothing is done about. */
    const statusOf = async (secret: string) => {
      const event = { id: "evt_turned", type: "product.updated", livemode: false };
      const body = JSON.stringify({ ...event, data: { object: { object: "product" } } });
      const time = Math.floor(Date.now() / 1000);
      const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
      const answer = await fetch(`${url}/functions/v1/stripe-webhook`, {
        method: "POST",
        headers: { "stripe-signature": `t=${time},v1=${signature}` },
        body,
      });
      return answer.status;
    };
    const write = async (line: string) => {
      await install.unset("STRIPE_WEBHOOK_SECRET");
      await install.set(line);
      await install.restart();
    };
    const keys = "STRIPE_SECRET_KEY=sk_test_ofATest\nSTRIPE_PUBLISHABLE_KEY=pk_test_ofATest\n";
    await write(`${keys}STRIPE_WEBHOOK_SECRET=${old}`);
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 400]);
    await write(webhookStep.replace("whsec_YOUR_OLD", old).replace("whsec_YOUR_NEW", next));
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);
    expect(await statusOf("whsec_anothers")).toBe(400);
    await write(`STRIPE_WEBHOOK_SECRET=${next}`);
    expect([await statusOf(old), await statusOf(next)]).toEqual([400, 200]);
  },
);

it(
  "docs/deploy.md turns the card provider's secret key, and members pay before, meanwhile and after",
  { timeout: timeLimitMs(120) },
  async () => {
    const shared = await startSharedSandbox(install.port);
    const { sandbox, env } = shared;
    try {
      await install.replace(env);
      await install.restart();
      const secretKey = "sk_test_theNewOneOfATest";
      const billing = await billingAt(install, shared);
      const pays = async () => {
        const payer = await billing.payer();
        expect((await billing.pay(payer, studentPlan)).status).toBe(200);
        await sandbox.control.settled();
        const row = await billing.subscription(payer);
        expect(row?.["status"]).toBe("active");
        return { payer, subscription_id: row?.["subscription_id"] };
      };
      const first = await pays();
      // “Roll it there with an overlap of a day”
      sandbox.control.rollSecretKey(secretKey);
      await pays();
      // “put the new `STRIPE_SECRET_KEY` into `.env`, run `npm run doctor` and restart”
      for (const part of [
        "overlap",
        "`STRIPE_SECRET_KEY` into `.env`",
        "npm run doctor",
        "restart",
      ])
        expect(secretKeyStep).toContain(part);
      await install.replace({ STRIPE_SECRET_KEY: secretKey });
      await doctorSays("card-provider sandbox");
      await install.restart();
      await pays();
      sandbox.control.expirePreviousKeys();
      await pays();
      const { client } = first.payer;
      const { subscription_id } = first;
      const ended = await billing.call(client, "stripe-cancel-subscription", { subscription_id });
      expect(ended.status).toBe(200);
      await sandbox.control.settled();
      expect(await billing.subscription(first.payer)).toMatchObject({ cancel_at_period_end: true });
    } finally {
      await sandbox.stop();
    }
  },
);
