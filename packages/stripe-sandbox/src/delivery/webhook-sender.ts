import type { WebhookDelivery } from "../tables.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { signatureHeader } from "./sign-webhook.ts";

/** Seconds before each retry. After the last one only `redeliver` sends the event. */
const retryDelaysS = [1, 2, 4, 8, 15, 30, 60, 60, 60, 60, 60, 60];
const responseTimeoutMs = 15_000;

export interface WebhookOptions {
  url: string | undefined;
  secret: string;
  log: SandboxLog;
  /** Called after each delivery attempt, to save the state. */
  onChange: () => void;
}

/** The part of a logger that the sandbox uses. */
export interface SandboxLog {
  debug: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
}

/** A delivery attempt. */
export interface DeliveryRecord {
  eventId: string;
  type: string;
  /** HTTP status, or null without a response. */
  status: number | null;
  error: string | null;
}

/**
 * Sends events to the webhook endpoint one at a time, in order of creation. A failed delivery is retried later while
 * the next events are sent. Uses real time and not the test clock, because receivers check the signature's age.
 */
export class WebhookSender {
  readonly #state: SandboxState;
  readonly #options: WebhookOptions;
  #timer: NodeJS.Timeout | null = null;
  #abort = new AbortController();
  #working: Promise<void> | null = null;
  #isPaused = false;
  #isStopped = false;
  #waiters: (() => void)[] = [];
  /** The latest delivery attempts, oldest first. */
  readonly records: DeliveryRecord[] = [];

  constructor(state: SandboxState, options: WebhookOptions) {
    this.#state = state;
    this.#options = options;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Schedules the next delivery. It starts after the current API request was answered. */
  wake(): void {
    if (this.#isStopped || this.#isPaused || this.#options.url === undefined) return;
    if (this.#working !== null) return;
    if (this.#timer) clearTimeout(this.#timer);
    const first = this.#nextDeliveryAt();
    if (first === null) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#working ??= this.#drain().finally(() => {
          this.#working = null;
          this.#notifyWaiters();
          this.wake();
        });
      },
      Math.max(0, first - Date.now()),
    );
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#notifyWaiters();
  }

  resume(): void {
    this.#isPaused = false;
    this.wake();
  }

  /** Resolves when no event is due: all are delivered, waiting for a retry, or paused. */
  async settled(): Promise<void> {
    while (!this.#isStopped && !this.#isPaused && this.#options.url !== undefined) {
      const next = this.#nextDeliveryAt();
      if (this.#working === null && (next === null || next > Date.now())) return;
      this.wake();
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
    if (this.#working !== null) await this.#working;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#abort.abort();
    await this.#working;
    this.#notifyWaiters();
  }

  #notifyWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const notify of waiters) notify();
  }

  #nextDeliveryAt(): number | null {
    const moments = this.#state.outbox.map((delivery) => delivery.notBefore);
    return moments.length === 0 ? null : Math.min(...moments);
  }

  async #drain(): Promise<void> {
    while (!this.#isStopped && !this.#isPaused) {
      const delivery = this.#state.outbox.find((entry) => entry.notBefore <= Date.now());
      if (!delivery) return;
      await this.#deliver(delivery);
      this.#options.onChange();
    }
  }

  async #deliver(delivery: WebhookDelivery): Promise<void> {
    const event = this.#state.tables.events.get(delivery.eventId);
    const outcome = event ? await this.#post(delivery, JSON.stringify(event, null, 2)) : null;
    if (this.#isStopped && outcome?.status === null) return;
    this.#state.outbox = this.#state.outbox.filter((entry) => entry !== delivery);
    if (!event || !outcome) return;
    this.records.push({ eventId: event.id, type: event.type, ...outcome });
    if (this.records.length > 1000) this.records.shift();
    if (outcome.status !== null && outcome.status >= 200 && outcome.status < 300) {
      this.#state.tables.events.set(event.id, { ...event, pending_webhooks: 0 });
      return;
    }
    const wait = retryDelaysS[delivery.attempts];
    const { attempts } = delivery;
    this.#options.log.warn(
      { event: event.id, type: event.type, attempts: attempts + 1, ...outcome },
      "webhook refused",
    );
    if (wait === undefined || delivery.badSignature) return;
    const notBefore = Date.now() + wait * 1000;
    this.#state.outbox.push({ ...delivery, attempts: attempts + 1, notBefore });
  }

  async #post(
    delivery: WebhookDelivery,
    payload: string,
  ): Promise<{ status: number | null; error: string | null }> {
    const secret = delivery.badSignature ? "whsec_not_the_secret" : this.#options.secret;
    const timeout = AbortSignal.timeout(responseTimeoutMs);
    try {
      const response = await fetch(this.#options.url ?? "", {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
          "stripe-signature": signatureHeader(payload, secret, Math.floor(Date.now() / 1000)),
        },
        body: payload,
        redirect: "manual",
        signal: AbortSignal.any([timeout, this.#abort.signal]),
      });
      await response.body?.cancel();
      return { status: response.status, error: null };
    } catch (cause) {
      return { status: null, error: cause instanceof Error ? cause.message : String(cause) };
    }
  }
}
