/* oxlint-disable no-underscore-dangle -- the names are the library's. */
import { Stripe } from "stripe";

/** The parts of the provider's library that decide whether and when a failed call is tried again; it does not type them. */
interface Retries {
  _shouldRetry: (answer: { getStatusCode: () => number } | null, ...rest: unknown[]) => boolean;
  prototype: { _getSleepTimeInMS: (tries: number) => number };
}

const pauseMs = 10;

/**
 * Lets the provider's library try again at once what failed at the provider itself (5xx). It pauses for half a second to two
 * before each further try, which tests of a provider out of order would wait for hundreds of times. Other pauses stay: a
 * conflict (409) is tried again when the call beside it has had time to end.
 */
export function shortenRetries(): void {
  const client = new Stripe("sk_test_retries") as unknown as {
    _requestSender: { constructor: Retries };
  };
  const retries = client._requestSender.constructor;
  const { _shouldRetry: shouldRetry } = retries;
  const { _getSleepTimeInMS: pauseOf } = retries.prototype;
  let status = 0;
  // The library asks for the pause right after it has decided to try again.
  retries._shouldRetry = (answer, ...rest) => {
    status = answer?.getStatusCode() ?? 0;
    return shouldRetry(answer, ...rest);
  };
  retries.prototype._getSleepTimeInMS = function (tries) {
    return status >= 500 ? pauseMs : pauseOf.call(this, tries);
  };
}
