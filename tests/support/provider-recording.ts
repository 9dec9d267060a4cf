import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startSandbox, type Sandbox } from "card-sandbox";
import type Stripe from "stripe";
import type { BillingEvent, BillingFixture } from "./billing.ts";

/** A response of the provider as it is repeated. */
interface RecordedResponse {
  status: number;
  body: string;
}

/** An event and the first stage at which it can be delivered. */
export interface RecordedEvent {
  event: BillingEvent;
  stage: number;
}

/**
 * The states of the provider during one lifecycle, and its webhooks. A stage is a copy of the sandbox's state.
 * The server at `apiBase` answers every reading with the state of the current stage, so the same lifecycle
 * can be received again in other orders.
 */
export class ProviderRecording {
  readonly events: RecordedEvent[] = [];
  /** The stage that readings see. */
  stage = 0;
  /** How often the product changed a subscription. */
  changes = 0;
  /** How often the provider was too busy for a change, because it had gone on meanwhile. */
  refusals = 0;
  readonly #billing: BillingFixture;
  readonly #folder: string;
  readonly #stages: Sandbox[] = [];
  readonly #responses = new Map<string, Promise<RecordedResponse>>();
  readonly #server: Server;

  private constructor(billing: BillingFixture, folder: string) {
    this.#billing = billing;
    this.#folder = folder;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  static async start(billing: BillingFixture): Promise<ProviderRecording> {
    const recording = new ProviderRecording(
      billing,
      await mkdtemp(join(tmpdir(), "provider-recording-")),
    );
    await new Promise<void>((resolve) => recording.#server.listen(0, "127.0.0.1", () => resolve()));
    return recording;
  }

  get apiBase(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get lastStage(): number {
    return this.#stages.length - 1;
  }

  /** Back to the first stage. */
  rewind(): void {
    this.stage = 0;
    this.changes = 0;
  }

  /** Keeps the provider's present state as the next stage, with the events since the last one. */
  async keepStage(): Promise<void> {
    const stage = this.#stages.length;
    const dataFile = join(this.#folder, `stage-${stage}.json`);
    await copyFile(join(this.#billing.host.dataDir, "sandbox.json"), dataFile);
    const { secretKey, webhookSecret } = this.#billing.sandbox;
    const keys = { secretKey, publishableKey: "pk_test_recording", webhookSecret };
    const publicBase = `${this.#billing.host.url}/sandbox/stripe`;
    this.#stages.push(await startSandbox({ ...keys, dataFile, publicBase, prices: [] }));
    const { data } = await this.#billing.control("/events");
    const known = new Set(this.events.map(({ event }) => event.id));
    for (const event of data as BillingEvent[]) {
      if (!known.has(event.id)) this.events.push({ event, stage });
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all(this.#stages.map(async (stage) => await stage.stop()));
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** The response of a stage, asked once and repeated from then on. */
  async #recorded(stage: number, url: string, headers: IncomingMessage["headers"]) {
    const key = `${stage} ${url}`;
    const known = this.#responses.get(key);
    if (known !== undefined) return await known;
    const asked = fetch(`${this.#stages[stage]?.apiBase ?? ""}${url}`, {
      headers: {
        authorization: String(headers.authorization),
        "stripe-version": String(headers["stripe-version"]),
      },
    }).then(async (answer) => ({ status: answer.status, body: await answer.text() }));
    this.#responses.set(key, asked);
    return await asked;
  }

  /** A subscription as it is at a stage. */
  async #subscriptionAt(stage: number, path: string, headers: IncomingMessage["headers"]) {
    const { body } = await this.#recorded(stage, path, headers);
    return JSON.parse(body) as Partial<Stripe.Subscription>;
  }

  /**
   * Moves to the stage that a change made by the product led to in the recording: the subscription has ended, or has
   * another price. Does nothing when it is so already.
   * @returns false when the recording has gone on to something else meanwhile.
   */
  async #follow(path: string, price: string | null, headers: IncomingMessage["headers"]) {
    for (let stage = this.stage; stage <= this.lastStage; stage += 1) {
      const { status, items } = await this.#subscriptionAt(stage, path, headers);
      const isDone = price === null ? status === "canceled" : items?.data[0]?.price.id === price;
      if (!isDone) continue;
      if (stage > this.stage) this.changes += 1;
      this.stage = Math.max(this.stage, stage);
      return true;
    }
    this.refusals += 1;
    return false;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", headers } = request;
    const url = request.url ?? "/";
    const form = new URLSearchParams(await text(request));
    const price = form.get("items[0][price]");
    if (url.startsWith("/v1/subscriptions/") && (method === "DELETE" || price !== null)) {
      const path = url.split("?")[0] ?? "";
      if (!(await this.#follow(path, method === "DELETE" ? null : price, headers))) {
        const error = { type: "invalid_request_error", code: "lock_timeout" };
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ error }));
        return;
      }
    } else if (method !== "GET" && !url.startsWith("/v1/customers/")) {
      throw new Error(`${method} ${url} is not part of the recorded lifecycle`);
    }
    const { status, body } = await this.#recorded(this.stage, url, headers);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }
}
