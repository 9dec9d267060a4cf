import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { listFunctions, openProject } from "basehost";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import {
  BillingFixture,
  mentorPlan,
  studentPlan,
  type FunctionResult,
  type Payer,
} from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startSmtpSink, type SmtpSink } from "../contract/auth/smtp-sink.ts";
import { openDenoFunctions, type DenoFunctions } from "../support/deno-functions.ts";
import { enrollSecondFactor, signInWithSecondFactor } from "../support/second-factor.ts";
import { projectRoot } from "../support/spawn-product.ts";

let billing: BillingFixture;
let functions: DenoFunctions;
let sink: SmtpSink;
beforeAll(async () => {
  sink = await startSmtpSink();
  billing = new BillingFixture(inject("host"), inject("sandbox"));
  functions = await openDenoFunctions();
});
afterAll(async () => {
  await functions.stop();
  await sink.stop();
  await billing.close();
});

/** The variables hosted Supabase gives to functions, without the legacy keys, and the operator's own. */
function hostedEnv(): Record<string, string> {
  const { host, sandbox } = billing;
  return {
    SUPABASE_URL: host.url,
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: host.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: host.secretKey }),
    STRIPE_SECRET_KEY: sandbox.secretKey,
    STRIPE_WEBHOOK_SECRET: sandbox.webhookSecret,
    STRIPE_API_BASE: sandbox.apiBase,
    SCHEDULE_SECRET: "s".repeat(40),
    SITE_URL: host.url,
    SMTP_URL: sink.url,
    MAIL_FROM: "hello@example.test",
  };
}

interface Call {
  bearer?: string;
  headers?: Record<string, string>;
  body: string;
}

async function send(url: string, { bearer, headers, body }: Call): Promise<FunctionResult> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization, ...headers },
    body,
  });
  if (answer.headers.get("content-type") === "application/octet-stream")
    return {
      status: answer.status,
      body: { bytes: Buffer.from(await answer.arrayBuffer()).toString("base64") },
    };
  return { status: answer.status, body: (await answer.json()) as FunctionResult["body"] };
}

async function tokenOf({ client }: Payer): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

async function subscriber(plan = studentPlan): Promise<Payer> {
  const payer = await billing.payer();
  await billing.pay(payer, plan);
  return payer;
}

function expectDone({ error }: { error: { message: string } | null }): void {
  if (error) throw new Error(error.message);
}

/** An authorized call. Each is made twice by different accounts, so that both are first calls. */
const grants: Record<string, () => Promise<Call>> = {
  "create-stripe-customer": async () => ({
    bearer: await tokenOf(await billing.payer()),
    body: "",
  }),
  "stripe-create-subscription-direct": async () => ({
    bearer: await tokenOf(await billing.payer()),
    body: JSON.stringify({ price_id: studentPlan, payment_method_id: "pm_card_visa" }),
  }),
  "stripe-cancel-subscription": async () => {
    const payer = await subscriber();
    const id = (await billing.subscription(payer))?.["subscription_id"];
    return { bearer: await tokenOf(payer), body: JSON.stringify({ subscription_id: id }) };
  },
  "stripe-uncancel-subscription": async () => {
    const payer = await subscriber();
    const id = (await billing.subscription(payer))?.["subscription_id"];
    const body = { subscription_id: id };
    await billing.call(payer.client, "stripe-cancel-subscription", body);
    return { bearer: await tokenOf(payer), body: JSON.stringify(body) };
  },
  "stripe-create-setup-intent": async () => ({
    bearer: await tokenOf(await subscriber()),
    body: "",
  }),
  "stripe-update-card": async () => {
    const payer = await subscriber();
    const { body } = await billing.call(payer.client, "stripe-create-setup-intent");
    const id = String(body["client_secret"]).split("_secret_")[0] ?? "";
    await billing.stripe.setupIntents.confirm(id, { payment_method: "pm_card_visa" });
    return { bearer: await tokenOf(payer), body: JSON.stringify({ setup_intent_id: id }) };
  },
  "stripe-preview-code": async () => {
    await coupon();
    return {
      bearer: await tokenOf(await billing.payer()),
      body: JSON.stringify({ price_id: mentorPlan, code: "DENO" }),
    };
  },
  "admin-coupons": async () => ({
    bearer: await tokenOf(await admin()),
    body: JSON.stringify({
      action: "deactivate",
      promotion_code_id: await coupon(),
      reason: "The campaign is over",
    }),
  }),
  "admin-refund-payment": async () => {
    const payer = await subscriber();
    const customer = await billing.customerId(payer);
    const [charge] = (await billing.stripe.charges.list({ customer })).data;
    await billing.deliverWebhooks();
    const refund = { request_id: crypto.randomUUID(), payment_id: charge?.id };
    return {
      bearer: await tokenOf(await admin()),
      body: JSON.stringify({ ...refund, amount_pence: 100, reason: "Asked by e-mail" }),
    };
  },
  "admin-settle-guarantee": async () => {
    const member = await subscriber();
    const [claim] = await billing.sql(
      `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state)
       values ($1, 0, 'Payslip', '[]', 'granted') returning id`,
      [member.id],
    );
    return {
      bearer: await tokenOf(await admin()),
      body: JSON.stringify({ claim_id: claim?.["id"] }),
    };
  },
  "admin-stop-renewal": async () => ({
    bearer: await tokenOf(await admin()),
    body: JSON.stringify({ member_id: (await subscriber()).id, reason: "Suspended for spam" }),
  }),
  "admin-retry-event": async () => {
    const customer = await billing.customerId(await subscriber());
    await billing.deliverWebhooks();
    const { data } = await billing.stripe.events.list({
      type: "customer.subscription.updated",
      limit: 100,
    });
    const event = data.find(
      (each) => "customer" in each.data.object && each.data.object.customer === customer,
    );
    await billing.sql("select private.billing_note_failure($1, 'invoice.paid', 'failed')", [
      event?.id,
    ]);
    await billing.sql("delete from private.billing_events where event_id = $1", [event?.id]);
    return { bearer: await tokenOf(await admin()), body: JSON.stringify({ event_id: event?.id }) };
  },
  "stripe-preview-plan-change": async () => ({
    bearer: await tokenOf(await subscriber()),
    body: JSON.stringify({ price_id: mentorPlan }),
  }),
  "stripe-change-plan": async () => {
    const payer = await subscriber();
    const price = { price_id: mentorPlan };
    const { body } = await billing.call(payer.client, "stripe-preview-plan-change", price);
    const change = { quote_id: body["quote_id"] };
    return { bearer: await tokenOf(payer), body: JSON.stringify(change) };
  },
  "stripe-cancel-plan-change": async () => {
    const payer = await subscriber(mentorPlan);
    const price = { price_id: studentPlan };
    const { body } = await billing.call(payer.client, "stripe-preview-plan-change", price);
    const change = { quote_id: body["quote_id"] };
    await billing.call(payer.client, "stripe-change-plan", change);
    const id = (await billing.subscription(payer))?.["pending_change_id"];
    return { bearer: await tokenOf(payer), body: JSON.stringify({ change_id: id }) };
  },
  "delete-my-account": async () => {
    const payer = await subscriber();
    const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };
    await finishOnboarding(payer.client, payer.id, person);
    return { bearer: await tokenOf(payer), body: JSON.stringify({ password: testPassword }) };
  },
  "decrement-participant-count": async () => ({
    bearer: await tokenOf(await subscriber()),
    body: JSON.stringify({ room_id: "general" }),
  }),
  "stripe-webhook": async () => {
    const event = { id: `evt_${crypto.randomUUID()}`, object: "event", type: "charge.succeeded" };
    const payload = JSON.stringify({
      ...event,
      data: { object: { object: "charge", id: "ch_1" } },
    });
    const signature = await billing.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: billing.sandbox.webhookSecret,
    });
    return { headers: { "stripe-signature": signature }, body: payload };
  },
  "affiliate-visit": async () =>
    await Promise.resolve({ body: JSON.stringify({ code: "nobody22" }) }),
  "use-recovery-code": async () => {
    const payer = await billing.payer();
    await enrollSecondFactor(payer.client);
    const { data, error } = await payer.client.rpc("generate_recovery_codes");
    if (error) throw new Error(error.message);
    const [code] = data as string[];
    return { bearer: await tokenOf(payer), body: JSON.stringify({ code }) };
  },
  "preview-emails": async () => {
    const admin = await billing.payer();
    await billing.sql("select private.make_admin($1)", [admin.id]);
    await enrollSecondFactor(admin.client);
    return { bearer: await tokenOf(admin), body: "{}" };
  },
  "open-verification-document": async () => {
    const [member, admin] = [await billing.payer(), await billing.payer()];
    const name = `${member.id}-verification-1.png`;
    const documents = member.client.storage.from("verification-documents");
    expectDone(await documents.upload(name, onePixelPng, { contentType: "image/png" }));
    const row = { user_id: member.id, document_type: "passport", document_url: name };
    const sent = await member.client.from("user_verifications").insert(row).select("id").single();
    expectDone(sent);
    await billing.sql("select private.make_admin($1)", [admin.id]);
    await enrollSecondFactor(admin.client);
    const body = JSON.stringify({ verification_id: String(sent.data?.id) });
    return { bearer: await tokenOf(admin), body };
  },
  "billing-reconcile": async () => await scheduled(),
  "count-content-days": async () => await scheduled(),
  "expire-room-leases": async () => await scheduled(),
  "publish-due-drafts": async () => await scheduled(),
  "purge-documents": async () => await scheduled(),
  "queue-reminders": async () => await scheduled(),
  "send-emails": async () => await scheduled(),
};

async function admin(): Promise<Payer> {
  const payer = await billing.payer();
  await billing.sql("select private.make_admin($1)", [payer.id]);
  await signInWithSecondFactor(payer.client, payer.email);
  return payer;
}

/** The promotion code DENO, which is made once. */
async function coupon(): Promise<string> {
  const [made] = (await billing.stripe.promotionCodes.list({ code: "DENO" })).data;
  if (made) return made.id;
  const { id } = await billing.stripe.coupons.create({ percent_off: 10 });
  const promotion = { type: "coupon" as const, coupon: id };
  return (await billing.stripe.promotionCodes.create({ promotion, code: "DENO" })).id;
}

const scheduled = async (): Promise<Call> =>
  await Promise.resolve({ bearer: billing.host.secretKey, body: "{}" });

/** What differs between two people or two moments, replaced by its type. */
function shapeOf({ status, body }: FunctionResult): FunctionResult {
  const isOwn = (value: unknown) =>
    typeof value === "number" ||
    (typeof value === "string" && /^((cus|sub|seti|re)_|[0-9a-f]{8}-)/.test(value));
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    isOwn(value) ? typeof value : value,
  ]);
  return { status, body: Object.fromEntries(entries) as FunctionResult["body"] };
}

it("the CLI uploads every function with its packages named and without a check of tokens", async () => {
  const names = [...listFunctions(await openProject(projectRoot)).keys()];
  expect(functions.uploaded.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  expect(Object.keys(grants).toSorted()).toEqual(names.toSorted());
  for (const { name, metadata, files } of functions.uploaded) {
    expect(metadata, name).toMatchObject({
      verify_jwt: false,
      import_map_path: "supabase/functions/deno.json",
      entrypoint_path: `supabase/functions/${name}/index.ts`,
    });
    // There are no installed packages on hosted Supabase, so nothing may ask for a folder of them.
    const config = files.get("supabase/functions/deno.json") ?? "";
    expect(config).not.toContain("nodeModulesDir");
    expect([...files.keys()].filter((path) => path.includes("node_modules"))).toEqual([]);
  }
});

describe.each(Object.keys(grants))("%s as the CLI uploads it", (name) => {
  it("answers authorized and unauthorized callers under Deno as under Node", async () => {
    const served = await functions.serve(name, hostedEnv());
    try {
      const places = {
        node: `${billing.host.url}/functions/v1/${name}`,
        deno: `${served.url}/${name}`,
      };
      const grant = grants[name];
      if (!grant) throw new Error(`${name} has no call`);
      const granted = {
        node: shapeOf(await send(places.node, await grant())),
        deno: shapeOf(await send(places.deno, await grant())),
      };
      expect(granted.node.status).toBe(200);
      expect(granted.deno, served.output()).toEqual(granted.node);

      for (const bearer of [undefined, "nonsense", billing.host.anonKey]) {
        const unauthorizedCall: Call = { body: "{}", ...(bearer === undefined ? {} : { bearer }) };
        const denied = await send(places.node, unauthorizedCall);
        expect(await send(places.deno, unauthorizedCall), bearer).toEqual(denied);
        // The beacon is answered and ignored without a session.
        if (name !== "decrement-participant-count")
          expect([400, 401, 403]).toContain(denied.status);
      }
    } finally {
      await served.stop();
    }
  });
});

it("a schedule's own secret opens a function under Deno", async () => {
  const served = await functions.serve("expire-room-leases", hostedEnv());
  try {
    const [right, wrong] = ["s".repeat(40), "s".repeat(39)];
    const statusFor = async (bearer: string) =>
      (await send(served.url, { bearer, body: "{}" })).status;
    expect([await statusFor(right), await statusFor(wrong)]).toEqual([200, 403]);
  } finally {
    await served.stop();
  }
});
