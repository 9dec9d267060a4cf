import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Stripe } from "stripe";
import { startSandbox, type Sandbox, type SandboxOptions } from "../main.ts";

export const testSecretKey = "sk_test_sandbox_fixture_key";
export const testPublishableKey = "pk_test_sandbox_fixture_key";
export const webhookSecret = "whsec_sandbox_fixture_secret";
export const basicPrice = "price_basic";
export const plusPrice = "price_plus";

export async function openFixture(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return await startSandbox({
    webhookSecret,
    secretKey: testSecretKey,
    publishableKey: testPublishableKey,
    publicBase: "http://127.0.0.1:3000/sandbox/stripe",
    prices: [price(basicPrice, "Basic", 5000), price(plusPrice, "Plus", 10_000)],
    ...options,
  });
}

function price(id: string, productName: string, amountPence: number) {
  return { id, productName, amountPence, currency: "gbp", interval: "month" as const };
}

/** The official server library, pointed at a sandbox. */
export function client(sandbox: Sandbox, key = testSecretKey, retries = 0): Stripe {
  const { hostname, port } = new URL(sandbox.apiBase);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: "http",
    maxNetworkRetries: retries,
    timeout: 60_000,
    telemetry: false,
  });
}

/** A customer with a saved card from a test token. */
export async function customerWith(stripe: Stripe, token: string): Promise<Stripe.Customer> {
  const customer = await stripe.customers.create({ email: "member@example.org" });
  const method = await stripe.paymentMethods.attach(token, { customer: customer.id });
  return await stripe.customers.update(customer.id, {
    invoice_settings: { default_payment_method: method.id },
  });
}

/** The Stripe error a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error(`expected a provider error, got ${String(outcome)}`);
}

interface Received {
  body: string;
  signature: string;
}

/** A webhook endpoint that records deliveries and answers with a given status. */
export interface Receiver {
  url: string;
  received: Received[];
  types: () => string[];
  answerWith: (status: number) => void;
  close: () => Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        body: Buffer.concat(chunks).toString("utf8"),
        signature: String(request.headers["stripe-signature"]),
      });
      response.writeHead(status).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    types: () => received.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    answerWith: (next) => {
      status = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
