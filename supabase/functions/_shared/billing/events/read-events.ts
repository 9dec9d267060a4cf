import type Stripe from "stripe";
import { errorForLog, FunctionError } from "../../http/responses.ts";
import type { BillingContext } from "../billing-context.ts";
import type { EventReadingDatabase } from "../event-reading-database.ts";
import { requireOwnAccount } from "../prices.ts";
import { parseWebhookEvent } from "../verify-webhook.ts";
import { applyEvent } from "./apply-event.ts";
import { familyOf } from "./event-families.ts";

const dayS = 24 * 3600;
/** A span is not halved below this; its pages are read to the end. */
const minSpanS = 60;
/** Requests for pages in one round; a longer past takes several rounds. */
const maxPages = 200;
/** Objects that are read again side by side. */
const concurrency = 5;
/** No object is begun after this time; the host ends a run after 150 s. */
const maxMs = 60_000;
/** What was seen is forgotten after this time; the database reads ten minutes again. */
const seenS = 3600;
/** So many failures one after the other are the provider's or the database's, and not of these events. */
const maxFailuresInARow = 3;

/** What came of a reading. */
export interface EventRound {
  /** Objects that were read again after events no webhook had told. */
  applied: number;
  failed: number;
  /** Events of an API version whose objects are not understood. */
  outdated: number;
}

/**
 * Applies the events that the provider lists since the last reading and that no webhook has applied. A span of time counts as read once all
 * of it was listed and applied, oldest first, so that a reading that is cut anywhere begins again with the same span.
 * An event that cannot be applied is noted for administrators as a webhook's would be, and not waited for.
 * @throws what the provider or the database answers; all that was read before is kept.
 */
export async function readEvents(
  billing: BillingContext & { readings: EventReadingDatabase },
): Promise<EventRound> {
  const { stripe, readings } = billing;
  await requireOwnAccount(billing);
  const round: EventRound = { applied: 0, failed: 0, outdated: 0 };
  const endsAt = Date.now() + maxMs;
  const seen = new Map<string, number>();
  let from = await readings.readFrom();
  let span = dayS;
  let pages = 0;
  while (pages < maxPages) {
    const now = Math.floor(Date.now() / 1000);
    // The last span is open: the provider's clock decides what has happened.
    const until = from + span < now ? from + span : null;
    const created = until === null ? { gte: from } : { gte: from, lt: until };
    const page = await stripe.events.list({ created, limit: 100 });
    pages += 1;
    if (page.has_more && span > minSpanS) {
      span = Math.max(minSpanS, Math.floor(Math.min(span, now - from) / 2));
      continue;
    }
    const found = [...page.data];
    if (page.has_more) {
      const after = { created, limit: 100, starting_after: page.data.at(-1)?.id ?? "" };
      for await (const event of stripe.events.list(after)) found.push(event);
      pages += Math.ceil(found.length / 100) - 1;
    }
    const isWhole = await applyAll(billing, found.toReversed(), { seen, endsAt, round });
    if (!isWhole) return round;
    const latest = Math.max(now, ...found.map((event) => event.created));
    // With events that say nothing to us, the customers are looked up in turn as before.
    await readings.keep(until ?? latest, seen, until === null && round.outdated === 0);
    if (until === null) return round;
    for (const [id, at] of seen) if (at < until - seenS) seen.delete(id);
    from = until;
    span *= 2;
  }
  return round;
}

interface Progress {
  /** Events that need no second look, with their times. */
  seen: Map<string, number>;
  endsAt: number;
  round: EventRound;
}

/**
 * @returns false when the time was up.
 * @throws what the provider or the database answered several times in a row.
 */
async function applyAll(
  billing: BillingContext & { readings: EventReadingDatabase },
  events: Stripe.Event[],
  { seen, endsAt, round }: Progress,
): Promise<boolean> {
  const handled = events.filter((event) => familyOf(event) !== undefined);
  const unread = await billing.readings.unread(handled.map(({ id }) => id));
  for (const { id, created } of handled) if (!unread.has(id)) seen.set(id, created);
  const waiting = bySubject(
    billing.isLiveMode,
    handled.filter(({ id }) => unread.has(id)),
  );
  let failuresInARow = 0;
  const reasonsToStop: unknown[] = [];

  const work = async (group: EventGroup) => {
    const { problem } = group;
    if (problem?.code === "unsupported_api_version") {
      round.outdated += 1;
      seen.set(group.last.id, group.last.created);
      return;
    }
    try {
      if (problem !== undefined) throw problem;
      if (await applyEvent(billing.stripe, billing.database, group.last)) round.applied += 1;
      failuresInARow = 0;
      for (const { id, created } of group.events) seen.set(id, created);
    } catch (error) {
      round.failed += 1;
      const { id, type } = group.last;
      console.error(`billing-reconcile: event ${id}: ${errorForLog(error)}`);
      await billing.database.noteFailure({ id, type }, errorForLog(error));
      if (problem !== undefined) return;
      failuresInARow += 1;
      if (failuresInARow >= maxFailuresInARow) reasonsToStop.push(error);
    }
  };
  const workOff = async () => {
    while (reasonsToStop.length === 0 && Date.now() < endsAt) {
      const group = waiting.shift();
      if (group === undefined) return;
      await work(group);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workOff));
  if (reasonsToStop.length > 0) throw reasonsToStop[0];
  return waiting.length === 0;
}

interface EventGroup {
  /** Oldest first. */
  events: Stripe.Event[];
  last: Stripe.Event;
  /** Why the events cannot be used. */
  problem?: FunctionError;
}

/** Events about one object belong together: it is read again once for all of them. */
function bySubject(isLiveMode: boolean, events: Stripe.Event[]): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const event of events) {
    const { key, problem } = subjectOf(event, isLiveMode);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, { events: [event], last: event, ...(problem && { problem }) });
    } else {
      group.events.push(event);
      group.last = event;
    }
  }
  return [...groups.values()];
}

/** What an event is about, as a text; the event itself when it is about nothing of ours or cannot be used. */
function subjectOf(
  event: Stripe.Event,
  isLiveMode: boolean,
): { key: string; problem?: FunctionError } {
  try {
    parseWebhookEvent(event, isLiveMode);
    const subject = familyOf(event)?.findSubject(event.data.object) ?? null;
    return { key: subject === null ? event.id : JSON.stringify(subject) };
  } catch (problem) {
    if (problem instanceof FunctionError) return { key: event.id, problem };
    throw problem;
  }
}
