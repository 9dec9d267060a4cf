import type Stripe from "stripe";
import { Refusal } from "./answers.ts";

/** How old a signature may be, and how far a clock may run ahead of ours. Seconds. */
const TOLERANCE = 300;
const CLOCK_SKEW = 5;

const refused = (cause?: unknown) =>
  new Refusal(400, "invalid_signature", "The signature is not valid.", { cause });

/** When the header says it was signed, in epoch seconds; NaN unless it says so exactly once. */
function stampOf(header: string): number {
  const stamps = header.split(",").filter((part) => part.startsWith("t="));
  return stamps.length === 1 ? Number(stamps[0]?.slice(2)) : Number.NaN;
}

/**
 * The event in a webhook request, if the provider signed exactly these bytes a moment ago.
 * @param now milliseconds since the epoch.
 * @throws {Refusal} 400 invalid_signature.
 */
export async function signedEvent(
  stripe: Stripe,
  body: string,
  header: string | null,
  secret: string,
  now: number,
): Promise<Stripe.Event> {
  if (header === null) throw refused();
  let event: Stripe.Event;
  try {
    event = await stripe.webhooks.constructEventAsync(
      body,
      header,
      secret,
      TOLERANCE,
      undefined,
      now,
    );
  } catch (error) {
    throw refused(error);
  }
  // The library leaves stamps from the future alone; somebody could keep them for later.
  const isFromTheFuture = !(stampOf(header) <= Math.floor(now / 1000) + CLOCK_SKEW);
  if (isFromTheFuture) throw refused();
  return event;
}
