import type Stripe from "stripe";
import { answerChallenge } from "./billing/pay-intent.ts";
import { applyPaymentResult } from "./billing/collect.ts";
import { closeDispute, openDispute, type DisputeOptions } from "./billing/disputes.ts";
import { runDueWork } from "./billing/due-work.ts";
import { addIntervals, dayS, hourS } from "./clock.ts";
import type { DeliveryRecord, WebhookSender } from "./delivery/webhook-sender.ts";
import { invalidRequest } from "./api-errors.ts";
import type { NetworkFault, NetworkFaults } from "./http/network-faults.ts";
import { emptyTables, type StoredEvent } from "./tables.ts";
import type { SandboxState } from "./sandbox-state.ts";

/** How far the test clock goes; parts add up. */
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

/** What a test, or a person trying things, may do to the provider. */
export interface SandboxControl {
  /** The sandbox's time, epoch seconds. */
  now: () => number;
  /** Moves time on; everything that becomes due happens before this resolves to the new time. */
  advance: (step: ClockStep) => Promise<number>;
  pauseWebhooks: () => void;
  resumeWebhooks: () => void;
  /** Puts the queued events in another order: reversed, or those named first. */
  reorderWebhooks: (order: string[] | "reverse") => QueuedEvent[];
  /** Queues an event once more, with a signature of the wrong secret if asked. */
  replayEvent: (eventId: string, badSignature?: boolean) => void;
  /** Sends now what waits for a retry or was given up. Returns how many events that are. */
  redeliver: () => number;
  /** Resolves when no delivery is under way or could start now. */
  settled: () => Promise<void>;
  queue: () => QueuedEvent[];
  isPaused: () => boolean;
  /** The latest tries at delivery, oldest first. */
  deliveries: () => DeliveryRecord[];
  addFault: (fault: NetworkFault) => void;
  clearFaults: () => void;
  /** Answers an open 3-D Secure challenge without a browser. */
  answerChallenge: (paymentIntent: string, accept: boolean) => Promise<void>;
  /** The cardholder's bank takes a charge back, or asks about it. */
  openDispute: (charge: string, options?: DisputeOptions) => Promise<Stripe.Dispute>;
  /** The bank decides about an open dispute. */
  closeDispute: (dispute: string, outcome: "won" | "lost") => Promise<Stripe.Dispute>;
  disputes: () => Stripe.Dispute[];
  customers: () => Stripe.Customer[];
  subscriptions: () => Stripe.Subscription[];
  invoices: () => Stripe.Invoice[];
  charges: () => Stripe.Charge[];
  events: () => StoredEvent[];
  /** Forgets everything but the catalogue, and goes back to real time. */
  reset: () => Promise<void>;
}

export function createControl(deps: {
  state: SandboxState;
  webhook: WebhookSender;
  faults: NetworkFaults;
  seed: () => void;
  save: () => Promise<void>;
}): SandboxControl {
  const { state, webhook, faults, save } = deps;
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
      state.clock.advanceBy(secondsOf(step, state.now()));
      runDueWork(state);
      await save();
      return state.now();
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
    addFault: (fault) => faults.add(fault),
    clearFaults: () => faults.clear(),
    answerChallenge: async (paymentIntent, accept) => {
      applyPaymentResult(state, paymentIntent, answerChallenge(state, paymentIntent, accept));
      await save();
    },
    openDispute: async (charge, options) => {
      const opened = openDispute(state, charge, options);
      await save();
      return opened;
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

function secondsOf(step: ClockStep, now: number): number {
  const months = step.months ?? 0;
  const seconds =
    addIntervals(now, months, "month") -
    now +
    (step.days ?? 0) * dayS +
    (step.hours ?? 0) * hourS +
    (step.seconds ?? 0);
  if (!Number.isFinite(seconds) || seconds < 0 || months > 120) {
    throw invalidRequest("The test clock only moves forwards, by at most ten years at once.");
  }
  return Math.floor(seconds);
}
