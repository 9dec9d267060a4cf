import type Stripe from "stripe";
import { answerIntentChallenge } from "./billing/collect.ts";
import { closeDispute, openDispute, type DisputeOptions } from "./billing/disputes.ts";
import { runDueWork } from "./billing/due-work.ts";
import { failRefund } from "./billing/refunds.ts";
import { dayS, hourS } from "./clock.ts";
import type { DeliveryRecord, WebhookSender } from "./delivery/webhook-sender.ts";
import { invalidRequest } from "./api-errors.ts";
import type { SecretKeys } from "./http/keys.ts";
import type { NetworkFault, NetworkFaults } from "./http/network-faults.ts";
import { emptyTables, type StoredEvent } from "./tables.ts";
import type { SandboxState } from "./sandbox-state.ts";

/** How far to advance the test clock; the units are added. */
interface ClockStep {
  months?: number | undefined;
  days?: number | undefined;
  hours?: number | undefined;
  seconds?: number | undefined;
}

interface QueuedEvent {
  eventId: string;
  type: string;
  attempts: number;
}

/** Controls the sandbox from tests or by hand. */
export interface SandboxControl {
  /** The sandbox's time, epoch seconds. */
  now: () => number;
  /** Advances the clock and does all work that becomes due. Resolves to the new time. */
  advance: (step: ClockStep) => Promise<number>;
  /** Whether schedules set `cancel_at` of their subscription to the end of the phase from now on. */
  letPhasesSetCancelAt: (on: boolean) => void;
  /** Whether the invoice of a renewal stays a draft for an hour from now on. */
  letRenewalsStayDrafts: (on: boolean) => void;
  pauseWebhooks: () => void;
  resumeWebhooks: () => void;
  /** Reorders the queued events: reversed, or the named ones first. */
  reorderWebhooks: (order: string[] | "reverse") => QueuedEvent[];
  /** Queues an event again, optionally with an invalid signature. */
  replayEvent: (eventId: string, badSignature?: boolean) => void;
  /** Sends all undelivered events now. Returns their number. */
  redeliver: () => number;
  /** Resolves when no delivery is running or due. */
  settled: () => Promise<void>;
  queue: () => QueuedEvent[];
  isPaused: () => boolean;
  /** The latest delivery attempts, oldest first. */
  deliveries: () => DeliveryRecord[];
  /** Adds a secret key, as rolling one does. Those before it stay good until `expirePreviousKeys`; none outlives the sandbox. */
  rollSecretKey: (next: string) => void;
  /** Ends the overlap of `rollSecretKey`: the newest secret key alone is good. */
  expirePreviousKeys: () => void;
  addFault: (fault: NetworkFault) => void;
  clearFaults: () => void;
  /** Answers the open 3-D Secure challenge of a payment or setup intent without a browser. */
  answerChallenge: (intent: string, accept: boolean) => Promise<void>;
  /** Opens a dispute or an inquiry for a charge. */
  openDispute: (charge: string, options?: DisputeOptions) => Promise<Stripe.Dispute>;
  /** Closes an open dispute. */
  closeDispute: (dispute: string, outcome: "won" | "lost") => Promise<Stripe.Dispute>;
  /** Lets a refund fail that was made. */
  failRefund: (refund: string) => Promise<Stripe.Refund>;
  disputes: () => Stripe.Dispute[];
  customers: () => Stripe.Customer[];
  subscriptions: () => Stripe.Subscription[];
  invoices: () => Stripe.Invoice[];
  charges: () => Stripe.Charge[];
  events: () => StoredEvent[];
  /** Deletes everything except the configured products and prices, and returns to real time. */
  reset: () => Promise<void>;
}

export function createControl(deps: {
  state: SandboxState;
  webhook: WebhookSender;
  faults: NetworkFaults;
  secretKeys: SecretKeys;
  seed: () => void;
  save: () => Promise<void>;
}): SandboxControl {
  const { state, webhook, faults, secretKeys, save } = deps;
  const queue = (): QueuedEvent[] =>
    state.outbox.map(({ eventId, attempts }) => ({
      eventId,
      attempts,
      type: state.tables.events.get(eventId)?.type ?? "",
    }));
  const changed = () => {
    webhook.wake();
    void save().catch(() => undefined);
  };
  return {
    now: () => state.now(),
    advance: async (step) => {
      runDueWork(state);
      const seconds = secondsOf(step);
      state.clock.advanceByMonths(step.months ?? 0);
      state.clock.advanceBy(seconds);
      runDueWork(state);
      await save();
      return state.now();
    },
    letPhasesSetCancelAt: (on) => {
      state.phasesSetCancelAt = on;
    },
    letRenewalsStayDrafts: (on) => {
      state.renewalsStayDrafts = on;
    },
    pauseWebhooks: () => webhook.pause(),
    resumeWebhooks: () => webhook.resume(),
    reorderWebhooks: (order) => {
      const { outbox } = state;
      const rank = (id: string) => {
        const place = order === "reverse" ? -1 : order.indexOf(id);
        return place < 0 ? outbox.length : place;
      };
      state.outbox =
        order === "reverse"
          ? outbox.toReversed()
          : outbox.toSorted((left, right) => rank(left.eventId) - rank(right.eventId));
      changed();
      return queue();
    },
    replayEvent: (eventId, badSignature = false) => {
      state.get("events", eventId, "event");
      state.outbox.push({ eventId, attempts: 0, notBefore: 0, badSignature });
      changed();
    },
    redeliver: () => {
      const queued = new Set(state.outbox.map((delivery) => delivery.eventId));
      for (const delivery of state.outbox) delivery.notBefore = 0;
      for (const event of state.rows("events")) {
        if (event.pending_webhooks === 0 || queued.has(event.id)) continue;
        const delivery = { eventId: event.id, attempts: 0, notBefore: 0, badSignature: false };
        state.outbox.push(delivery);
      }
      changed();
      return state.outbox.length;
    },
    settled: () => webhook.settled(),
    queue,
    isPaused: () => webhook.isPaused,
    deliveries: () => [...webhook.records],
    rollSecretKey: (next) => secretKeys.roll(next),
    expirePreviousKeys: () => secretKeys.expirePrevious(),
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    answerChallenge: async (intent, accept) => {
      answerIntentChallenge(state, intent, accept);
      await save();
    },
    openDispute: async (charge, options) => {
      const opened = openDispute(state, charge, options);
      await save();
      return opened;
    },
    failRefund: async (refund) => {
      const failed = failRefund(state, refund);
      await save();
      return failed;
    },
    closeDispute: async (dispute, outcome) => {
      const closed = closeDispute(state, dispute, outcome);
      await save();
      return closed;
    },
    disputes: () => structuredClone(state.rows("disputes")),
    customers: () => structuredClone(state.rows("customers")),
    subscriptions: () => structuredClone(state.rows("subscriptions")),
    invoices: () => structuredClone(state.rows("invoices")),
    charges: () => structuredClone(state.rows("charges")),
    events: () => structuredClone(state.rows("events")),
    reset: async () => {
      faults.clear();
      state.tables = emptyTables();
      state.outbox = [];
      state.clock.offset = 0;
      webhook.records.length = 0;
      webhook.resume();
      deps.seed();
      await save();
    },
  };
}

/** @throws {StripeApiError} */
function secondsOf({ months = 0, days = 0, hours = 0, seconds = 0 }: ClockStep): number {
  const sum = days * dayS + hours * hourS + seconds;
  if (!Number.isFinite(sum) || sum < 0 || months < 0 || months > 120) {
    throw invalidRequest("The test clock only moves forwards, by at most ten years at once.");
  }
  return Math.floor(sum);
}
