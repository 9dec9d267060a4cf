import { randomInt, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { unsubscribeAddress } from "../../supabase/functions/_shared/emails/unsubscribe-link.ts";
import { listFunctions, openProject } from "basehost";
import { finishOnboarding, onePixelPng } from "../../tools/demo/join.ts";
import { BillingFixture, mentorPlan, studentPlan, type Payer } from "../support/billing.ts";
import { planPriceRequest } from "../support/plan-price-request.ts";
import { testPassword } from "../support/clients.ts";
import { offeredCourseSlug } from "../support/course-offers.ts";
import { startSmtpSink, type SmtpSink } from "../support/smtp-sink.ts";
import {
  hostedFunctionEnv,
  openDenoFunctions,
  postToFunction,
  shapeOf,
  type DenoFunctions,
  type FunctionCall,
} from "../support/deno-functions.ts";
import { claimInState, claimWithDocument } from "../support/guarantee-claims.ts";
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

async function tokenOf({ client }: Payer): Promise<string> {
  return (await client.auth.getSession()).data.session?.access_token ?? "";
}

const asMember = (body: object) => async () => ({
  bearer: await tokenOf((await billing.member(studentPlan)).ada),
  body: JSON.stringify(body),
});

async function subscriber(plan = studentPlan): Promise<Payer> {
  const payer = await billing.payer();
  await billing.pay(payer, plan);
  return payer;
}

function expectDone({ error }: { error: { message: string } | null }): void {
  if (error) throw new Error(error.message);
}

const asAdmin = async (body: object): Promise<FunctionCall> => ({
  bearer: await tokenOf(await admin()),
  body: JSON.stringify(body),
});

/** An authorized call. Each is made twice by different accounts, so that both are first calls. */
const grants: Record<string, () => Promise<FunctionCall>> = {
  "create-stripe-customer": async () => ({
    bearer: await tokenOf(await billing.payer()),
    body: "",
  }),
  "stripe-create-subscription-direct": async () => ({
    bearer: await tokenOf(await billing.payer()),
    body: JSON.stringify({
      price_id: studentPlan,
      payment_method_id: "pm_card_visa",
      terms_version: 1,
    }),
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
  "stripe-pause-membership": asMember({ months: 1 }),
  "stripe-resume-membership": asMember({}),
  "stripe-withdraw": asMember({}),
  "stripe-buy-gift": asMember({
    request_id: randomUUID(),
    plan_id: "student-access",
    months: 1,
    amount_pence: 5000,
    payment_method_id: "pm_card_visa",
  }),
  "stripe-create-setup-intent": asMember({}),
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
  "admin-coupons": async () =>
    await asAdmin({
      action: "deactivate",
      promotion_code_id: await coupon(),
      reason: "The campaign is over",
    }),
  "admin-plan-prices": async () =>
    await asAdmin(planPriceRequest({ amount_pence: randomInt(40_000, 60_000) })),
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
  "admin-settle-guarantee": async () =>
    await asAdmin({ claim_id: await claimInState(billing, await subscriber(), "granted") }),
  "admin-stop-renewal": async () =>
    await asAdmin({ member_id: (await subscriber()).id, reason: "Suspended for spam" }),
  "admin-retry-payment": async () => {
    const payer = await subscriber();
    await billing.deliverWebhooks();
    const customer = [await billing.customerId(payer)];
    await billing.sql(
      "update public.stripe_subscriptions set status = 'past_due' where customer_id = $1",
      customer,
    );
    const [owed] = await billing.sql<{ invoice_id: string }>(
      `update public.invoices set status = 'open', reason = 'subscription_cycle'
       where customer_id = $1 returning invoice_id`,
      customer,
    );
    return {
      bearer: await tokenOf(await admin()),
      body: JSON.stringify({ request_id: crypto.randomUUID(), invoice_id: owed?.invoice_id }),
    };
  },
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
  "stripe-preview-plan-change": asMember({ price_id: mentorPlan }),
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
  "decrement-participant-count": asMember({ room_id: "general" }),
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
  "guarantee-figures": async () => await Promise.resolve({ body: "{}" }),
  "course-offer": async () => ({
    body: JSON.stringify({ slug: await offeredCourseSlug(billing) }),
  }),
  "stripe-buy-course": async () => ({
    bearer: await tokenOf(await billing.payer()),
    body: JSON.stringify({
      slug: await offeredCourseSlug(billing),
      amount_pence: 4000,
      payment_method_id: "pm_card_visa",
      terms_version: 1,
    }),
  }),
  "shared-card": async () => await Promise.resolve({ body: JSON.stringify({ code: "nothing" }) }),
  unsubscribe: async () => {
    const { url, secretKey } = billing.host;
    const keys = JSON.stringify({ default: secretKey });
    const deps = { env: { SUPABASE_URL: url, SUPABASE_SECRET_KEYS: keys } };
    const address = await unsubscribeAddress(deps, (await billing.payer()).id, "tips");
    return { body: JSON.stringify({ token: new URL(address ?? "").searchParams.get("token") }) };
  },
  "verify-certificate": async () =>
    await Promise.resolve({ body: JSON.stringify({ code: "nothing" }) }),
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
    await enrollSecondFactor(admin.client);
    await billing.sql("select private.make_admin($1)", [admin.id]);
    return { bearer: await tokenOf(admin), body: "{}" };
  },
  "open-guarantee-document": async () =>
    await asAdmin({ claim_id: await claimWithDocument(billing) }),
  "open-verification-document": async () => {
    const [member, admin] = [await billing.payer(), await billing.payer()];
    const name = `${member.id}-verification-1.png`;
    const documents = member.client.storage.from("verification-documents");
    expectDone(await documents.upload(name, onePixelPng, { contentType: "image/png" }));
    const row = { user_id: member.id, document_type: "passport", document_url: name };
    const sent = await member.client.from("user_verifications").insert(row).select("id").single();
    expectDone(sent);
    await enrollSecondFactor(admin.client);
    await billing.sql("select private.make_admin($1)", [admin.id]);
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
  "send-pushes": async () => await scheduled(),
};

/** The beacon is answered and ignored without a session; the figures are public. */
const answersEverybody = ["decrement-participant-count", "guarantee-figures"];

async function admin(): Promise<Payer> {
  const payer = await billing.payer();
  await signInWithSecondFactor(payer.client, payer.email);
  await billing.sql("select private.make_admin($1)", [payer.id]);
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

const scheduled = async (): Promise<FunctionCall> =>
  await Promise.resolve({ bearer: billing.host.secretKey, body: "{}" });

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
    const served = await functions.serve(name, hostedFunctionEnv(billing, sink.url));
    try {
      const places = {
        node: `${billing.host.url}/functions/v1/${name}`,
        deno: `${served.url}/${name}`,
      };
      const grant = grants[name];
      if (!grant) throw new Error(`${name} has no call`);
      const granted = {
        node: shapeOf(await postToFunction(places.node, await grant())),
        deno: shapeOf(await postToFunction(places.deno, await grant())),
      };
      expect(granted.node.status).toBe(200);
      expect(granted.deno, served.output()).toEqual(granted.node);

      for (const bearer of [undefined, "nonsense", billing.host.anonKey]) {
        const unauthorizedCall: FunctionCall = {
          body: "{}",
          ...(bearer === undefined ? {} : { bearer }),
        };
        const denied = await postToFunction(places.node, unauthorizedCall);
        expect(await postToFunction(places.deno, unauthorizedCall), bearer).toEqual(denied);
        if (!answersEverybody.includes(name)) expect([400, 401, 403]).toContain(denied.status);
      }
    } finally {
      await served.stop();
    }
  });
});

it("a schedule's own secret opens a function under Deno", async () => {
  const served = await functions.serve("expire-room-leases", hostedFunctionEnv(billing, sink.url));
  try {
    const [right, wrong] = ["s".repeat(40), "s".repeat(39)];
    const statusFor = async (bearer: string) =>
      (await postToFunction(served.url, { bearer, body: "{}" })).status;
    expect([await statusFor(right), await statusFor(wrong)]).toEqual([200, 403]);
  } finally {
    await served.stop();
  }
});
