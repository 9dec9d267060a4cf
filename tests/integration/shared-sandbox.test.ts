import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestProduct } from "../support/backend-setup.ts";
import { BillingFixture, invoicesOf, studentPlan } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startSharedSandbox, type SharedSandbox } from "../support/shared-sandbox.ts";

const undo: (() => Promise<void>)[] = [];
let shared: SharedSandbox;
let here: BillingFixture;
let there: BillingFixture;

/** Two hosts over one database, with one provider that tells the first of what happens. */
beforeAll(async () => {
  shared = await startSharedSandbox();
  undo.push(shared.sandbox.stop);
  const { env, port } = shared;
  const first = await startTestProduct({ ...env, PORT: port });
  undo.push(first.stop);
  const secrets = await readFile(join(first.running.dataDir, "secrets.json"), "utf8");
  const second = await startTestProduct({
    ...env,
    DATABASE_URL: first.running.databaseUrl,
    DATA_KEY: (JSON.parse(secrets) as { dataKey: string }).dataKey,
  });
  undo.push(second.stop);
  here = new BillingFixture(first.running, first.sandbox);
  undo.push(here.close.bind(here));
  there = new BillingFixture(second.running, second.sandbox);
  undo.push(there.close.bind(there));
});

afterAll(async () => {
  for (const one of undo.toReversed()) await one();
});

test("what is paid at one host is known at the other, which reads, compares and ends it", async () => {
  const ada = await here.payer();
  expect((await here.pay(ada, studentPlan)).status).toBe(200);
  await here.deliverWebhooks();
  const client = there.client(there.host.anonKey);
  const { error } = await client.auth.signInWithPassword({
    email: ada.email,
    password: testPassword,
  });
  expect(error).toBeNull();
  const elsewhere = { ...ada, client };
  expect(await invoicesOf(elsewhere)).toMatchObject([{ amount_paid_pence: 5000, status: "paid" }]);
  // The other host asks the same provider, which knows its customer.
  expect(await there.reconcile()).toMatchObject({ failed: 0 });
  const { subscription_id } = (await there.subscription(ada)) ?? {};
  const ended = await there.call(client, "stripe-cancel-subscription", { subscription_id });
  expect(ended.status).toBe(200);
  await here.deliverWebhooks();
  expect(await here.subscription(ada)).toMatchObject({ cancel_at_period_end: true });
  const { cancel_at_period_end: isEnding } = await here.stripe.subscriptions.retrieve(
    String(subscription_id),
  );
  expect(isEnding).toBe(true);
});

test("pages of both hosts load the shared provider's script and frames, and nothing of the real one", async () => {
  const { apiBase } = shared.sandbox;
  for (const { host } of [here, there]) {
    const config = (await (await fetch(`${host.url}/config.json`)).json()) as object;
    expect(config).toMatchObject({
      stripePublishableKey: shared.publishableKey,
      stripeScriptUrl: `${apiBase}/v3/`,
    });
    const policy = (await fetch(`${host.url}/paywall`)).headers.get("content-security-policy");
    expect(policy).toMatch(new RegExp(`script-src [^;]*${apiBase}`));
    expect(policy).toMatch(new RegExp(`frame-src [^;]*${apiBase}`));
    expect(policy).not.toContain("stripe.com");
  }
  expect((await fetch(`${apiBase}/v3/`)).status).toBe(200);
});

test("a key that expired at the provider sells nothing and says so, and the next one sells", async () => {
  const { control } = shared.sandbox;
  const ada = await there.payer();
  control.rollSecretKey("sk_test_next");
  control.expirePreviousKeys();
  const refused = await there.pay(ada, studentPlan);
  control.rollSecretKey(shared.env["STRIPE_SECRET_KEY"] ?? "");
  expect(refused).toMatchObject({ status: 502, body: { code: "provider_unavailable" } });
  expect(await there.subscription(ada)).toBeNull();
  expect((await there.pay(ada, studentPlan)).status).toBe(200);
});
