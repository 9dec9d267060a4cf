import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { runDueWork } from "../billing/due-work.ts";
import { hasEnded } from "../billing/subscription-steps.ts";
import { addIntervals, dayS } from "../clock.ts";
import { listPage } from "../http/lists.ts";
import { integer, listParams, noParams, nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newObjectId } from "../ids.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { deleteCustomer } from "./customers.ts";

const lifetimeS = 30 * dayS;
/** How far behind the sandbox's time a new clock may be: its caller looked at its own clock a moment ago. */
const toleranceS = 60;

/** How far ahead a new clock may start, since all that is due until then is done at once. */
const maxStartYears = 10;

const createParams = z.strictObject({
  frozen_time: integer,
  name: nonEmptyString.max(300).optional(),
});

/** A clock is a handle on the one time that the sandbox has, which goes on by itself, too. */
function create(state: SandboxState, params: z.infer<typeof createParams>) {
  const now = state.now();
  if (params.frozen_time < now - toleranceS) {
    throw invalidRequest(
      `The sandbox has one time for all customers, and it is ${now}: a test clock cannot start before it.`,
      "frozen_time",
    );
  }
  const latest = addIntervals(now, maxStartYears, "year");
  if (params.frozen_time > latest) {
    throw invalidRequest(
      `The sandbox moves by ${maxStartYears} years at once at most: \`frozen_time\` must be ${latest} or earlier.`,
      "frozen_time",
    );
  }
  moveTo(state, params.frozen_time);
  const clock: Stripe.TestHelpers.TestClock = {
    id: newObjectId("clock"),
    object: "test_helpers.test_clock",
    created: now,
    deletes_after: now + lifetimeS,
    frozen_time: params.frozen_time,
    livemode: false,
    name: params.name ?? null,
    status: "ready",
    status_details: {},
  };
  state.put("testClocks", clock);
  state.emit("test_helpers.test_clock.created", clock);
  return clock;
}

/** Answers while the clock advances, as Stripe does; the next question finds it ready. */
function advance(state: SandboxState, id: string, target: number): Stripe.TestHelpers.TestClock {
  const clock = state.get("testClocks", id);
  if (target <= clock.frozen_time || target < state.now()) {
    const earliest = Math.max(clock.frozen_time + 1, state.now());
    throw invalidRequest(
      `A test clock only advances: \`frozen_time\` must be ${earliest} or later.`,
      "frozen_time",
    );
  }
  const latest = latestTarget(state, clock);
  if (target > latest) {
    throw invalidRequest(
      `A test clock advances by two intervals of its shortest subscription at most, or by two years: \`frozen_time\` must be ${latest} or earlier.`,
      "frozen_time",
    );
  }
  const advancing = state.update(
    "testClocks",
    id,
    { status: "advancing", status_details: { advancing: { target_frozen_time: target } } },
    "test_helpers.test_clock.advancing",
  );
  moveTo(state, target);
  const ready = { status: "ready" as const, status_details: {}, frozen_time: target };
  state.update("testClocks", id, ready, "test_helpers.test_clock.ready");
  return advancing;
}

/** What becomes due is nobody's request. */
function moveTo(state: SandboxState, target: number): void {
  const { request } = state;
  state.request = null;
  state.clock.advanceBy(Math.max(0, target - state.now()));
  runDueWork(state);
  state.request = request;
}

function latestTarget(
  state: SandboxState,
  { id, frozen_time: from }: Stripe.TestHelpers.TestClock,
): number {
  const ends = state
    .rows("subscriptions")
    .filter((row) => row.test_clock === id && !hasEnded(row))
    .flatMap((row) => row.items.data)
    .map(({ price }) => {
      const { interval, intervalCount } = termsOf(price);
      return addIntervals(from, 2 * intervalCount, interval);
    });
  return Math.min(addIntervals(from, 2, "year"), ...ends);
}

export const testClockRoutes: Route[] = [
  route("POST", "test_helpers/test_clocks", createParams, ({ state, params }) =>
    create(state, params),
  ),
  route("GET", "test_helpers/test_clocks", z.strictObject(listParams), ({ state, params, url }) =>
    listPage(state.rows("testClocks"), params, url, "testClocks"),
  ),
  route("GET", "test_helpers/test_clocks/:id", noParams, ({ state, id }) =>
    state.get("testClocks", id),
  ),
  route(
    "POST",
    "test_helpers/test_clocks/:id/advance",
    z.strictObject({ frozen_time: integer }),
    ({ state, id, params }) => advance(state, id, params.frozen_time),
  ),
  route("DELETE", "test_helpers/test_clocks/:id", noParams, ({ state, id }) => {
    const clock = state.get("testClocks", id);
    for (const customer of state.rows("customers")) {
      if (customer.test_clock === id) deleteCustomer(state, customer.id);
    }
    state.tables.testClocks.delete(id);
    state.emit("test_helpers.test_clock.deleted", clock);
    return { id, object: "test_helpers.test_clock", deleted: true };
  }),
];
