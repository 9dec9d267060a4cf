import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox, type Sandbox } from "card-sandbox";
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
  /** How often the product ended a subscription that was running. */
  cancellations = 0;
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
    this.cancellations = 0;
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

  /** The first stage from now on at which a subscription has ended. */
  async #stageOfEnd(url: string, headers: IncomingMessage["headers"]): Promise<number> {
    for (let stage = this.stage; stage <= this.lastStage; stage += 1) {
      const { body } = await this.#recorded(stage, url, headers);
      if ((JSON.parse(body) as { status?: string }).status === "canceled") return stage;
    }
    throw new Error(`${url} never ends in this recording`);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", headers } = request;
    const url = request.url ?? "/";
    request.resume();
    if (method === "DELETE" && url.startsWith("/v1/subscriptions/")) {
      const end = await this.#stageOfEnd(url.split("?")[0] ?? "", headers);
      if (end > this.stage) this.cancellations += 1;
      this.stage = Math.max(this.stage, end);
    } else if (method !== "GET") {
      throw new Error(`${method} ${url} is not part of the recorded lifecycle`);
    }
    const { status, body } = await this.#recorded(this.stage, url, headers);
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  }
}
