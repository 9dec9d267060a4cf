import type { Clock } from "./clock.ts";
import { retryLaterCodes } from "./errors.ts";

type Fetch = typeof fetch;

/** Statuses of a server that asks to come back later: a budget is spent, or it is busy. */
const laterStatuses = new Set([429, 503, 504, 544]);
/** A read is tried again by itself for this long, so a page that asked too much at once still fills. */
const longestPatienceMs = 15_000;
/** Requests that were refused together should not come back together. */
const spreadMs = 500;

/** Such as `12 seconds`, or `3 minutes` where seconds say nothing. */
function inWords(seconds: number): string {
  const isLong = seconds > 90;
  const count = isLong ? Math.ceil(seconds / 60) : seconds;
  return `${count} ${isLong ? "minute" : "second"}${count === 1 ? "" : "s"}`;
}

/** What the member is told, in place of the server's words for programs. */
function sentence(status: number, seconds: number, isAuth: boolean): string {
  const again = `Try again in ${inWords(seconds)}.`;
  if (status !== 429) return `The server is busy right now. ${again}`;
  return isAuth ? `Too many attempts. ${again}` : `You’re going a little fast. ${again}`;
}

/** What the server said, where it is an object. */
async function readBody(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === "object" && body !== null ? { ...body } : {};
}

/** Seconds to wait, when the server asked for that before it did any work; else null. */
function secondsToWait(response: Response, body: Record<string, unknown>): number | null {
  const code = typeof body["error_code"] === "string" ? body["error_code"] : body["code"];
  if (typeof code !== "string" || !retryLaterCodes.has(code)) return null;
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}

/** The same answer with a sentence for the member, where each official client reads its message. */
function withSentence(
  response: Response,
  body: Record<string, unknown>,
  path: string,
  text: string,
): Response {
  const rewritten = {
    ...body,
    message: text,
    ...("msg" in body && { msg: text }),
    ...(path.includes("/functions/v1/") && { error: text }),
  };
  const { status, statusText, headers } = response;
  return Response.json(rewritten, { status, statusText, headers });
}

/** True for reads and procedures, which may be retried automatically; a member's writes may not. */
function isQuiet(path: string, init: RequestInit | undefined): boolean {
  if (path.includes("/auth/v1/")) return false;
  const method = init?.method?.toUpperCase() ?? "GET";
  return method === "GET" || method === "HEAD" || path.includes("/rest/v1/rpc/");
}

function pause(clock: Clock, milliseconds: number, signal: AbortSignal | null | undefined) {
  return new Promise<void>((resolve) => {
    const cancel = clock.after(milliseconds, resolve);
    signal?.addEventListener("abort", () => {
      cancel();
      resolve();
    });
  });
}

/**
 * Fetch that honours `Retry-After` of a server whose limits were met: the one place of the app that does. Reads wait
 * and are asked again, quietly; what a member did comes back as an error whose message says when to try again.
 */
export function createRetryingFetch(send: Fetch, clock: Clock): Fetch {
  return async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input, "http://unknown").pathname;
    let waitedMs = 0;
    for (;;) {
      const response = await send(input, init);
      if (!laterStatuses.has(response.status)) return response;
      const body = await readBody(response);
      const seconds = secondsToWait(response, body);
      if (seconds === null) return response;
      const waitMs = seconds * 1000 + Math.random() * spreadMs;
      waitedMs += waitMs;
      if (!isQuiet(path, init) || waitedMs > longestPatienceMs || input instanceof Request) {
        const isAuth = path.includes("/auth/v1/");
        return withSentence(response, body, path, sentence(response.status, seconds, isAuth));
      }
      await pause(clock, waitMs, init?.signal);
    }
  };
}
