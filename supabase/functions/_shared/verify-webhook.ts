import { Stripe } from "stripe";
import { z } from "zod";
import { FunctionError } from "./responses.ts";

/** How old a signature may be, and how far a clock may run ahead of ours. Seconds. */
const toleranceS = 300;
const maxClockSkewS = 5;

/** Characters; many times what the provider sends. */
const maxEventLength = 1_000_000;
/** Events of older versions of the provider's API keep what is read here in other places. */
const oldestApiVersion = "2025-03-31";

const event = z.object({
  id: z.string().regex(/^[\w-]{1,255}$/),
  type: z.string().regex(/^[\w.]{1,200}$/),
  livemode: z.boolean().optional(),
  api_version: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}(?:\.\w{1,50})?$/)
    .nullish(),
  data: z.object({ object: z.looseObject({ object: z.string().optional() }) }),
});

/**
 * The event, once it is known to have the shape of one and to belong to this install.
 * @param isLiveMode whether the install runs with real money.
 * @throws {Refusal} 400 invalid_event, unsupported_api_version or wrong_mode.
 */
export function parseWebhookEvent(claimed: unknown, isLiveMode: boolean): Stripe.Event {
  const parsed = event.safeParse(claimed);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join(".") ?? "";
    throw malformed(`The event is not valid${field === "" ? "" : `: ${field}`}.`);
  }
  const { api_version: version, livemode } = parsed.data;
  if (typeof version === "string" && version < oldestApiVersion) {
    throw new FunctionError(
      400,
      "unsupported_api_version",
      `The endpoint sends events of API version ${version}; it needs ${oldestApiVersion} or newer.`,
    );
  }
  // A test payment must never make a paying member, nor the other way round.
  if (isLiveMode ? livemode !== true : livemode === true) {
    throw new FunctionError(
      400,
      "wrong_mode",
      "The event is of the provider's other mode, test or live.",
    );
  }
  return claimed as Stripe.Event;
}

const malformed = (message: string, cause?: unknown) =>
  new FunctionError(400, "invalid_event", message, { cause });
const refused = (cause?: unknown) =>
  new FunctionError(400, "invalid_signature", "The signature is not valid.", { cause });

/** When the header says it was signed, in epoch seconds; NaN unless it says so exactly once. */
function timestampOf(header: string): number {
  const stamps = header.split(",").filter((part) => part.startsWith("t="));
  return stamps.length === 1 ? Number(stamps[0]?.slice(2)) : Number.NaN;
}

/**
 * What a webhook request says, if the provider signed exactly these bytes a moment ago.
 * @param now milliseconds since the epoch.
 * @throws {Refusal} 400 invalid_signature, 400 invalid_event for what is no JSON, 413 request_too_large.
 */
export async function verifyWebhook(
  stripe: Stripe,
  body: string,
  header: string | null,
  secret: string,
  now: number,
): Promise<unknown> {
  if (body.length > maxEventLength) {
    throw new FunctionError(413, "request_too_large", "The request is too large.");
  }
  if (header === null) throw refused();
  let said: unknown;
  try {
    said = await stripe.webhooks.constructEventAsync(
      body,
      header,
      secret,
      toleranceS,
      undefined,
      now,
    );
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw refused(error);
    // The signature was good: what failed is reading the body.
    throw malformed("The event is not valid JSON of an event.", error);
  }
  // The library leaves stamps from the future alone; somebody could keep them for later.
  const isFromTheFuture = !(timestampOf(header) <= Math.floor(now / 1000) + maxClockSkewS);
  if (isFromTheFuture) throw refused();
  return said;
}
