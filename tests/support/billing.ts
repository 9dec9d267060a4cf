import { randomUUID } from "node:crypto";
import { createClient, FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { Stripe } from "stripe";
import { testPassword } from "./clients.ts";
import type { RunningHost, RunningSandbox } from "./running.ts";

/** Price ids of the plans. */
export const studentPlan = "price_student_access";
export const mentorPlan = "price_mentor_access";

type Json = Record<string, unknown>;

/** The response of an edge function, errors included. */
export interface FunctionResult {
  status: number;
  body: Json;
}

/** A signed-up account with the profile that the app creates. */
export interface Payer {
  id: string;
  email: string;
  client: SupabaseClient;
}

/** The result of one delivery of a webhook; `status` is null while there was no answer. */
interface WebhookDelivery {
  eventId: string;
  type: string;
  status: number | null;
}

/** An event as the provider stores and sends it. */
export interface BillingEvent {
  id: string;
  type: string;
  created: number;
  data: { object: { id?: string; object: string; customer?: string; status?: string } };
}

/** An event with a new id, for a test to sign and post itself. */
export function billingEvent(type: string, object: object): BillingEvent {
  return {
    id: `evt_${randomUUID()}`,
    object: "event",
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object },
  } as unknown as BillingEvent;
}

/** The member's invoices as the member's own client reads them, oldest first. */
export async function invoicesOf({ client }: Payer): Promise<Json[]> {
  const { data, error } = await client
    .from("invoices")
    .select("*")
    .order("issued_at", { ascending: true })
    .order("invoice_id");
  if (error) throw new Error(error.message);
  return data as Json[];
}

/** Billing as tests use it: members' clients, the database as its owner, and the controls of the provider. */
export class BillingFixture {
  readonly host: RunningHost;
  readonly sandbox: RunningSandbox;
  /** The official library with the secret key, for what staff do in the provider's dashboard. */
  readonly stripe: Stripe;
  readonly #owner: pg.Pool;

  constructor(host: RunningHost, sandbox: RunningSandbox) {
    this.host = host;
    this.sandbox = sandbox;
    const { hostname, port } = new URL(sandbox.apiBase);
    this.stripe = new Stripe(sandbox.secretKey, {
      host: hostname,
      port: Number(port),
      protocol: "http",
      telemetry: false,
    });
    this.#owner = new pg.Pool({ connectionString: host.databaseUrl, max: 2 });
  }

  async close(): Promise<void> {
    await this.#owner.end();
  }

  client(key: string): SupabaseClient {
    return createClient(this.host.url, key, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    });
  }

  async payer(): Promise<Payer> {
    const client = this.client(this.host.anonKey);
    const email = `${randomUUID()}@example.test`;
    const { data, error } = await client.auth.signUp({ email, password: testPassword });
    if (error) throw error;
    const id = data.user?.id ?? "";
    const made = await client
      .from("profiles")
      .insert({ id, onboarding_complete: false, role: "student" });
    if (made.error) throw new Error(made.error.message);
    return { id, email, client };
  }

  async call(client: SupabaseClient, name: string, body?: Json): Promise<FunctionResult> {
    const { data, error } = await client.functions.invoke<Json>(
      name,
      body === undefined ? {} : { body },
    );
    if (error === null) return { status: 200, body: data ?? {} };
    if (!(error instanceof FunctionsHttpError)) throw error;
    const response = error.context as Response;
    return { status: response.status, body: (await response.json()) as Json };
  }

  /** Buys a plan as the PAY button does. */
  async pay({ client }: Payer, price: string, card = "pm_card_visa"): Promise<FunctionResult> {
    return await this.call(client, "stripe-create-subscription-direct", {
      price_id: price,
      payment_method_id: card,
      terms_version: 1,
    });
  }

  /** Runs the reconciliation, which leaves out customers whose webhook is being applied: after what is on its way. */
  async reconcile(body: Json = { everybody: true, batch: 1000 }): Promise<Json> {
    await this.deliverWebhooks();
    const answer = await this.call(
      this.client(this.host.serviceRoleKey),
      "billing-reconcile",
      body,
    );
    if (answer.status !== 200) throw new Error(`reconcile answered ${answer.status}`);
    return answer.body;
  }

  /** A new account that has bought a plan, after its webhooks were delivered. */
  async member(price = mentorPlan): Promise<{ ada: Payer; subscription: string }> {
    const ada = await this.payer();
    await this.pay(ada, price);
    await this.deliverWebhooks();
    const row = await this.subscription(ada);
    return { ada, subscription: String(row?.["subscription_id"]) };
  }

  /** A member whose card was replaced by that of a test token, as the provider's own pages do. */
  async memberWith(price: string, card?: string): Promise<Payer> {
    const { ada, subscription } = await this.member(price);
    if (card === undefined) return ada;
    const customer = await this.customerId(ada);
    const method = await this.stripe.paymentMethods.attach(card, { customer });
    await this.stripe.subscriptions.update(subscription, { default_payment_method: method.id });
    await this.deliverWebhooks();
    return ada;
  }

  /** Moves the provider's clock and delivers the webhooks of what happened meanwhile. */
  async advanceClock(step: Record<string, number>): Promise<void> {
    await this.control("/clock", step);
    await this.deliverWebhooks();
  }

  /** Ends every membership at the provider: the clock of a later test renews none of an earlier one. */
  async endMemberships(): Promise<void> {
    for await (const { id, status } of this.stripe.subscriptions.list({ limit: 100 })) {
      if (status !== "incomplete_expired") await this.stripe.subscriptions.cancel(id);
    }
    await this.deliverWebhooks();
  }

  /** A subscription sold in the provider's dashboard to a customer without an account. */
  async sellToUnknownCustomer(card: string): Promise<{ customer: string; subscription: string }> {
    const { id: customer } = await this.stripe.customers.create({});
    const method = await this.stripe.paymentMethods.attach(card, { customer });
    const { id: subscription } = await this.stripe.subscriptions.create({
      customer,
      items: [{ price: mentorPlan }],
      default_payment_method: method.id,
    });
    await this.deliverWebhooks();
    return { customer, subscription };
  }

  /** True when the database grants the account what a paying member may do. */
  async isMember({ id }: Payer): Promise<boolean> {
    const rows = await this.sql<{ live: boolean }>(
      "select private.has_live_membership($1) as live",
      [id],
    );
    return rows[0]?.live === true;
  }

  /** The member's current subscription as the member's own client reads it. */
  async subscription({ id, client }: Payer): Promise<Json | null> {
    const customer = await client
      .from("stripe_customers")
      .select("customer_id")
      .eq("user_id", id)
      .is("deleted_at", null)
      .maybeSingle();
    if (customer.data === null) return null;
    const { data, error } = await client
      .from("stripe_subscriptions")
      .select("*")
      .eq("customer_id", String(customer.data.customer_id))
      .is("deleted_at", null)
      .maybeSingle();
    if (error) throw new Error(error.message);
    return data as Json | null;
  }

  async status(payer: Payer): Promise<unknown> {
    return (await this.subscription(payer))?.["status"];
  }

  async role({ id, client }: Payer): Promise<unknown> {
    const { data } = await client.from("profiles").select("role").eq("id", id).single();
    return data?.role;
  }

  async customerId({ id }: Payer): Promise<string> {
    const rows = await this.sql<{ customer_id: string }>(
      "select customer_id from public.stripe_customers where user_id = $1 and deleted_at is null",
      [id],
    );
    return rows[0]?.customer_id ?? "";
  }

  /** Runs a statement as the owner of the database. */
  async sql<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.#owner.query<T>(text, values)).rows;
  }

  /** What the provider stores about a member: number of customers, subscription ids by state, and amounts paid. */
  async atProvider(payer: Payer): Promise<{
    customers: number;
    live: string[];
    unfinished: string[];
    paid: number[];
  }> {
    const { data } = await this.control("/customers");
    const customers = (data as Stripe.Customer[]).filter(
      (customer) => customer.metadata["user_id"] === payer.id,
    );
    const subscriptions: Stripe.Subscription[] = [];
    const charges: Stripe.Charge[] = [];
    for (const { id: customer } of customers) {
      const held = await this.stripe.subscriptions.list({ customer, status: "all", limit: 100 });
      subscriptions.push(...held.data);
      charges.push(...(await this.stripe.charges.list({ customer, limit: 100 })).data);
    }
    const by = (...statuses: string[]) =>
      subscriptions.filter(({ status }) => statuses.includes(status)).map(({ id }) => id);
    return {
      customers: customers.length,
      live: by("active", "trialing"),
      unfinished: by("incomplete", "past_due", "unpaid", "paused"),
      paid: charges.filter((charge) => charge.paid && !charge.refunded).map((c) => c.amount),
    };
  }

  /** One of the sandbox's controls. */
  async control(path: string, body?: Json): Promise<Json> {
    const response = await fetch(`${this.sandbox.controlBase}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${this.sandbox.secretKey}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Json;
  }

  /** Delivers every webhook that is due. @returns the result of each delivery. */
  async deliverWebhooks(): Promise<WebhookDelivery[]> {
    return (await this.control("/webhooks/settle", {}))["deliveries"] as WebhookDelivery[];
  }

  /** Removes every failure that was injected into the provider's API. */
  async clearFailures(): Promise<void> {
    await fetch(`${this.sandbox.controlBase}/faults`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${this.sandbox.secretKey}` },
    });
  }

  /** Completes or fails the bank's authentication of a payment, as the cardholder would. */
  async challenge(clientSecret: unknown, outcome: "complete" | "fail"): Promise<void> {
    const paymentIntent = String(clientSecret).split("_secret_")[0] ?? "";
    await this.control("/challenges", { paymentIntent, outcome });
  }

  /** Posts an event to the webhook, signed by the official library. `at` is in seconds. */
  async postEvent(
    event: object,
    {
      at = Date.now() / 1000,
      secret = this.sandbox.webhookSecret,
    }: { at?: number; secret?: string } = {},
  ): Promise<FunctionResult> {
    const payload = JSON.stringify(event);
    const signature = await this.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret,
      timestamp: Math.floor(at),
    });
    return await this.postRaw(payload, { "stripe-signature": signature });
  }

  async postRaw(payload: string, headers: Record<string, string>): Promise<FunctionResult> {
    const response = await fetch(`${this.host.url}/functions/v1/stripe-webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: payload,
    });
    return { status: response.status, body: (await response.json()) as Json };
  }
}
