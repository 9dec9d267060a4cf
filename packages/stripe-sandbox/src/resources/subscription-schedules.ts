import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import {
  applyPhaseSettings,
  endOfSchedule,
  endSchedule,
  scheduleSubscription,
} from "../billing/schedules.ts";
import { recurringPrices } from "../billing/start-subscription.ts";
import { taxRatesOf } from "../billing/taxes.ts";
import { endSubscription } from "../billing/subscription-steps.ts";
import { addIntervals } from "../clock.ts";
import { filterBy, listPage } from "../http/lists.ts";
import {
  integer,
  listParams,
  mergeMetadata,
  metadata,
  noParams,
  nonEmptyString,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { expandableId } from "../ids.ts";
import { newPhase } from "../objects/schedule-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { discountParams } from "./coupons.ts";
import { proration } from "./subscription-params.ts";

const phaseParams = z.strictObject({
  items: z
    .array(z.strictObject({ price: nonEmptyString, quantity: integer.optional() }))
    .min(1)
    .max(20),
  default_payment_method: nonEmptyString.optional(),
  discounts: z.union([z.literal(""), discountParams]).optional(),
  default_tax_rates: z.union([z.literal(""), z.array(nonEmptyString)]).optional(),
  start_date: integer.optional(),
  end_date: integer.optional(),
  duration: z
    .strictObject({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: integer.optional(),
    })
    .optional(),
  proration_behavior: proration.optional(),
});

const updateParams = z.strictObject({
  default_settings: z
    .strictObject({ default_payment_method: nonEmptyString.optional() })
    .optional(),
  phases: z.array(phaseParams).min(1).max(10).optional(),
  end_behavior: z.enum(["cancel", "release"]).optional(),
  proration_behavior: proration.optional(),
  metadata: metadata.optional(),
});

function requireOpen(schedule: Stripe.SubscriptionSchedule, action: string): void {
  if (schedule.status === "active" || schedule.status === "not_started") return;
  throw invalidRequest(
    `You cannot ${action} a subscription schedule that is currently in the \`${schedule.status}\` status.`,
  );
}

/** The phases in order; each ends where the next one starts. */
function phasesFrom(
  state: SandboxState,
  schedule: Stripe.SubscriptionSchedule,
  given: z.infer<typeof phaseParams>[],
): Stripe.SubscriptionSchedule.Phase[] {
  const currency = schedule.phases[0]?.currency ?? "gbp";
  let next = schedule.current_phase?.start_date ?? state.now();
  return given.map((phase, index) => {
    const items = phase.items.map(({ price, quantity = 1 }) => ({ price, quantity }));
    recurringPrices(
      state,
      items.map((item) => ({ ...item, metadata: {} })),
    );
    const start = phase.start_date ?? next;
    if (start !== next) {
      throw invalidRequest(
        "The start date of a phase must be the end date of the one before.",
        `phases[${index}][start_date]`,
      );
    }
    const { interval = "month", interval_count: count = 1 } = phase.duration ?? {};
    const end = phase.end_date ?? addIntervals(start, count, interval);
    if (end <= start) {
      throw invalidRequest("A phase must end after it starts.", `phases[${index}][end_date]`);
    }
    next = end;
    const prorationBehavior = phase.proration_behavior ?? "create_prorations";
    const method = phase.default_payment_method;
    return newPhase(
      {
        items,
        startDate: start,
        endDate: end,
        prorationBehavior,
        defaultPaymentMethod: method === undefined ? null : attachedTo(state, schedule, method),
        discounts: phase.discounts === undefined || phase.discounts === "" ? [] : phase.discounts,
        taxRates: taxRatesOf(
          state,
          typeof phase.default_tax_rates === "object" ? phase.default_tax_rates : [],
          `phases[${index}][default_tax_rates]`,
        ),
      },
      currency,
    );
  });
}

function attachedTo(
  state: SandboxState,
  schedule: Stripe.SubscriptionSchedule,
  method: string,
): string {
  return resolveAttached(state, method, expandableId(schedule.customer), "default_payment_method")
    .id;
}

function update(
  state: SandboxState,
  id: string,
  params: z.infer<typeof updateParams>,
): Stripe.SubscriptionSchedule {
  const schedule = state.get("subscriptionSchedules", id);
  requireOpen(schedule, "update");
  const phases = params.phases ? phasesFrom(state, schedule, params.phases) : schedule.phases;
  const [first] = phases;
  const current = params.phases
    ? first
    : phases.find((phase) => phase.start_date === schedule.current_phase?.start_date);
  const method = params.default_settings?.default_payment_method;
  const updated = state.update(
    "subscriptionSchedules",
    id,
    {
      phases,
      ...(method !== undefined && {
        default_settings: {
          ...schedule.default_settings,
          default_payment_method: attachedTo(state, schedule, method),
        },
      }),
      ...(params.end_behavior && { end_behavior: params.end_behavior }),
      ...(current && {
        current_phase: { start_date: current.start_date, end_date: current.end_date },
      }),
      metadata: mergeMetadata(schedule.metadata ?? {}, params.metadata),
    },
    "subscription_schedule.updated",
  );
  const managed = expandableId(updated.subscription);
  if (current) applyPhaseSettings(state, managed, updated, current);
  if (updated.end_behavior !== schedule.end_behavior) {
    const changes = { cancel_at: endOfSchedule(state, managed) };
    state.update("subscriptions", managed, changes, "customer.subscription.updated");
  }
  return updated;
}

export const subscriptionScheduleRoutes: Route[] = [
  route(
    "POST",
    "subscription_schedules",
    z.strictObject({ from_subscription: nonEmptyString }),
    ({ state, params }) => scheduleSubscription(state, params.from_subscription),
  ),
  route(
    "GET",
    "subscription_schedules",
    z.strictObject({ ...listParams, customer: nonEmptyString.optional() }),
    ({ state, params, url }) => {
      const rows = filterBy(state.rows("subscriptionSchedules"), ["customer"], params);
      return listPage(rows, params, url, "subscriptionSchedules");
    },
  ),
  route("GET", "subscription_schedules/:id", noParams, ({ state, id }) =>
    state.get("subscriptionSchedules", id),
  ),
  route("POST", "subscription_schedules/:id", updateParams, ({ state, id, params }) =>
    update(state, id, params),
  ),
  route("POST", "subscription_schedules/:id/release", noParams, ({ state, id }) => {
    const schedule = state.get("subscriptionSchedules", id);
    requireOpen(schedule, "release");
    endSchedule(state, expandableId(schedule.subscription), "released");
    return state.get("subscriptionSchedules", id);
  }),
  route("POST", "subscription_schedules/:id/cancel", noParams, ({ state, id }) => {
    const schedule = state.get("subscriptionSchedules", id);
    requireOpen(schedule, "cancel");
    endSubscription(state, expandableId(schedule.subscription));
    return state.get("subscriptionSchedules", id);
  }),
];
