import type Stripe from "stripe";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BillingDatabase } from "../billing-database.ts";
import type { EventReadingDatabase } from "../event-reading-database.ts";
import { readEvents } from "./read-events.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});
const nowS = 1_800_000_000;

function event(id: string, changes: object = {}): Stripe.Event {
  return {
    id,
    type: "payout.paid",
    created: nowS - 10,
    livemode: false,
    api_version: "2025-03-31.basil",
    data: { object: { object: "payout", id: "po_1" } },
    ...changes,
  } as unknown as Stripe.Event;
}

/** A provider with these events, in pages of 100, newest first. */
function provider(events: Stripe.Event[], from: number) {
  const listed: { gte: number; lt?: number }[] = [];
  const keep = vi.fn(async () => await Promise.resolve());
  const noteFailure = vi.fn(async () => await Promise.resolve());
  const list = ({ created }: { created: { gte: number; lt?: number } }) => {
    listed.push(created);
    const data = events.filter(
      (one) => one.created >= created.gte && one.created < (created.lt ?? Infinity),
    );
    return Promise.resolve({ data: data.slice(0, 100), has_more: data.length > 100 });
  };
  const billing = {
    stripe: {
      events: { list },
      prices: { retrieve: async () => await Promise.resolve({}) },
      balanceTransactions: { list: async () => await Promise.resolve({ data: [] }) },
    } as unknown as Stripe,
    database: {
      catalogue: async () => await Promise.resolve([{ price_id: "price_1" }]),
      noteFailure,
      balance: {
        readFrom: async () => await Promise.resolve(nowS),
        keep: async () => await Promise.resolve(),
      },
    } as unknown as BillingDatabase,
    readings: {
      readFrom: async () => await Promise.resolve(from),
      unread: async (ids: string[]) => await Promise.resolve(new Set(ids)),
      keep,
    } as unknown as EventReadingDatabase,
    isLiveMode: false,
  };
  return { read: async () => await readEvents(billing), listed, keep, noteFailure };
}

it("a long past is read in spans that follow each other without a gap, the last one open", async () => {
  const { read, listed, keep } = provider([], nowS - 30 * 86_400);
  await read();
  expect(listed.length).toBeLessThan(10);
  expect(listed[0]?.gte).toBe(nowS - 30 * 86_400);
  for (const [index, span] of listed.slice(1).entries()) expect(span.gte).toBe(listed[index]?.lt);
  expect(listed.at(-1)?.lt).toBeUndefined();
  expect(keep).toHaveBeenLastCalledWith(nowS, new Map(), true);
});

it("a span with more than a page is read in shorter ones", async () => {
  const events = Array.from({ length: 300 }, (_, n) =>
    event(`evt_${n}`, { created: nowS - n * 200 }),
  );
  const { read, listed, keep } = provider(events, nowS - 86_400);
  expect(await read()).toMatchObject({ failed: 0 });
  const whole = listed.filter(
    ({ gte, lt }) =>
      events.filter((one) => one.created >= gte && one.created < (lt ?? Infinity)).length <= 100,
  );
  let at = nowS - 86_400;
  for (const span of whole) {
    expect(span.gte).toBe(at);
    at = span.lt ?? Infinity;
  }
  expect(at).toBe(Infinity);
  expect(keep).toHaveBeenCalledTimes(whole.length);
});

it("events of several kinds about one object are one look at it", async () => {
  const events = ["payout.paid", "payout.updated", "payout.reconciliation_completed"].map(
    (type, n) => event(`evt_${n}`, { type }),
  );
  const { read, keep } = provider(events, nowS - 600);
  expect(await read()).toEqual({ applied: 1, failed: 0, outdated: 0 });
  const seen = new Map(events.map(({ id, created }) => [id, created]));
  expect(keep).toHaveBeenLastCalledWith(nowS, seen, true);
});

it("events of an older API version are no failures, and the customers are looked up as before", async () => {
  const { read, keep, noteFailure } = provider(
    [event("evt_1", { api_version: "2020-08-27" })],
    nowS - 600,
  );
  expect(await read()).toEqual({ applied: 0, failed: 0, outdated: 1 });
  expect(noteFailure).not.toHaveBeenCalled();
  expect(keep).toHaveBeenLastCalledWith(nowS, new Map([["evt_1", nowS - 10]]), false);
});

it("an event that does not match its type is noted, and the reading goes on", async () => {
  const broken = event("evt_1", { data: { object: { object: "payout", id: {} } } });
  const { read, keep, noteFailure } = provider([broken], nowS - 600);
  expect(await read()).toEqual({ applied: 0, failed: 1, outdated: 0 });
  expect(noteFailure).toHaveBeenCalledTimes(1);
  expect(keep).toHaveBeenLastCalledWith(nowS, new Map(), true);
});
