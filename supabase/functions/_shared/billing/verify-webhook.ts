import { Stripe } from "stripe";
import { z } from "zod";
import { FunctionError } from "../http/responses.ts";

/** Maximum age of a signature, and how far its time may lie in the future. */
const toleranceS = 300;
const maxClockSkewS = 5;

/** In characters. */
const maxEventLength = 1_000_000;
/** Older API versions keep the fields read here in other places. */
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
 * Checks that a verified payload is an event of a supported API version and of this install's mode.
 * @param isLiveMode whether the install runs with real money.
 * @throws {FunctionError} 400 invalid_event, unsupported_api_version or wrong_mode.
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
  // A test payment must never give a live membership, or the reverse.
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

/** The header's timestamp in epoch seconds; NaN unless there is exactly one. */
function timestampOf(header: string): number {
  const stamps = header.split(",").filter((part) => part.startsWith("t="));
  return stamps.length === 1 ? Number(stamps[0]?.slice(2)) : Number.NaN;
}

/** The secrets of a setting that may hold two, separated by a comma, while the first is being replaced. */
function secretsOf(setting: string): string[] {
  return setting
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
}

/** As the library does it, with the first of several secrets that fits. */
async function constructEvent(
  stripe: Stripe,
  secrets: readonly string[],
  { body, header, now }: { body: string; header: string; now: number },
): Promise<unknown> {
  let refusal: unknown;
  for (const secret of secrets) {
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        header,
        secret,
        toleranceS,
        undefined,
        now,
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      refusal = error;
    }
  }
  throw refused(refusal);
}

/**
 * Verifies the signature of a webhook request over its exact body and returns the parsed payload.
 * @param setting the secret, or two separated by a comma: a signature by either is good.
 * @param now milliseconds since the epoch.
 * @throws {FunctionError} 400 invalid_signature, 400 invalid_event when it is not JSON, 413 request_too_large.
 */
export async function verifyWebhook(
  stripe: Stripe,
  body: string,
  header: string | null,
  setting: string,
  now: number,
): Promise<unknown> {
  if (body.length > maxEventLength) {
    throw new FunctionError(413, "request_too_large", "The request is too large.");
  }
  if (header === null) throw refused();
  let said: unknown;
  try {
    said = await constructEvent(stripe, secretsOf(setting), { body, header, now });
  } catch (error) {
    if (error instanceof FunctionError) throw error;
    // The signature is valid, so parsing the body failed.
    throw malformed("The event is not valid JSON of an event.", error);
  }
  // The library accepts timestamps in the future, which would allow a later replay.
  const isFromTheFuture = !(timestampOf(header) <= Math.floor(now / 1000) + maxClockSkewS);
  if (isFromTheFuture) throw refused();
  return said;
}
