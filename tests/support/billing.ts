import { randomUUID } from "node:crypto";
import { createClient, FunctionsHttpError, type SupabaseClient } from "@supabase/supabase-js";
import pg from "pg";
import { Stripe } from "stripe";
import { PASSWORD } from "./clients.ts";
import type { RunningHost, RunningSandbox } from "./running.ts";

export const STUDENT = "price_student_access";
export const MENTOR = "price_mentor_access";

type Json = Record<string, unknown>;

/** A function's answer, refusals included. */
export interface Answer {
  status: number;
  body: Json;
}

/** A signed-up account with the profile the spec's client makes. */
export interface Payer {
  id: string;
  email: string;
  client: SupabaseClient;
}

/** What a delivery of a webhook came to. */
interface Delivery {
  eventId: string;
  type: string;
  status: number | null;
}

/** A member's view of the product, the operator's view of the database, and the controls of the provider. */
export class Counter {
  readonly host: RunningHost;
  readonly sandbox: RunningSandbox;
  /** The official library, as the provider's own dashboard would use it. */
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
    const { data, error } = await client.auth.signUp({ email, password: PASSWORD });
    if (error) throw error;
    const id = data.user?.id ?? "";
    const made = await client
      .from("profiles")
      .insert({ id, onboarding_complete: false, role: "student" });
    if (made.error) throw new Error(made.error.message);
    return { id, email, client };
  }

  async call(client: SupabaseClient, name: string, body?: Json): Promise<Answer> {
    const { data, error } = await client.functions.invoke<Json>(
      name,
      body === undefined ? {} : { body },
    );
    if (error === null) return { status: 200, body: data ?? {} };
    if (!(error instanceof FunctionsHttpError)) throw error;
    const response = error.context as Response;
    return { status: response.status, body: (await response.json()) as Json };
  }

  /** One press of PAY. */
  async pay({ client }: Payer, price: string, card = "pm_card_visa"): Promise<Answer> {
    return await this.call(client, "stripe-create-subscription-direct", {
      price_id: price,
      payment_method_id: card,
    });
  }

  async reconcile(body: Json = { everybody: true, batch: 1000 }): Promise<Json> {
    const answer = await this.call(
      this.client(this.host.serviceRoleKey),
      "billing-reconcile",
      body,
    );
    if (answer.status !== 200) throw new Error(`reconcile answered ${answer.status}`);
    return answer.body;
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

  /** What the provider holds for a member: the customers, subscriptions by status, and payments that were taken. */
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

  /** Resolves when every webhook that can be delivered has been; answers what became of each. */
  async settle(): Promise<Delivery[]> {
    return (await this.control("/webhooks/settle", {}))["deliveries"] as Delivery[];
  }

  /** Answers the bank's question behind a client secret as the cardholder would. */
  async challenge(clientSecret: unknown, outcome: "complete" | "fail"): Promise<void> {
    const paymentIntent = String(clientSecret).split("_secret_")[0] ?? "";
    await this.control("/challenges", { paymentIntent, outcome });
  }

  /** Posts an event to the webhook with a signature made by the official library. */
  async postEvent(
    event: object,
    {
      at = Date.now() / 1000,
      secret = this.sandbox.webhookSecret,
    }: { at?: number; secret?: string } = {},
  ): Promise<Answer> {
    const payload = JSON.stringify(event);
    const signature = await this.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret,
      timestamp: Math.floor(at),
    });
    return await this.postRaw(payload, { "stripe-signature": signature });
  }

  async postRaw(payload: string, headers: Record<string, string>): Promise<Answer> {
    const response = await fetch(`${this.host.url}/functions/v1/stripe-webhook`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: payload,
    });
    return { status: response.status, body: (await response.json()) as Json };
  }
}
