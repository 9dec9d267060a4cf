import type { Logger } from "pino";
import type { FunctionEnv, Handler, ProjectFunction } from "./registry.ts";

/** Milliseconds a function may take to answer, as on hosted Supabase. */
export const LONGEST_RUN_MS = 150_000;

/** An answer of ours in place of the function's, with the code where hosted Supabase puts it. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headerCode = code,
): Response {
  return Response.json({ code, message }, { status, headers: { "sb-error-code": headerCode } });
}

const TIMED_OUT = Symbol("timed out");

async function within<T>(work: Promise<T>, ms: number): Promise<T | typeof TIMED_OUT> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof TIMED_OUT>((resolve) => {
    timer = setTimeout(resolve, ms, TIMED_OUT);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls a function and gives its answer, or ours when it has none: it does not load (503), throws (500), or takes
 * too long (504; the signal of `request` is aborted by then). Never throws; what went wrong is in the log alone.
 */
export async function callFunction(
  target: ProjectFunction,
  makeRequest: (signal: AbortSignal) => Request,
  options: { env: FunctionEnv; log: Logger; longestRunMs: number },
): Promise<Response> {
  const { env, log, longestRunMs } = options;
  let handler: Handler;
  try {
    handler = await target.load();
  } catch (error) {
    log.error({ err: error, function: target.name }, "function could not be loaded");
    return refusal(503, "BOOT_ERROR", "Function failed to start (please check logs)");
  }
  const abort = new AbortController();
  const run = async () => await handler(makeRequest(abort.signal), { env });
  try {
    const running = run();
    const answer = await within(running, longestRunMs);
    if (answer === TIMED_OUT) {
      abort.abort();
      // Nobody waits for it any more, but a late failure must not end the process.
      running.catch((error: unknown) => {
        log.error({ err: error, function: target.name }, "function failed after its time was up");
      });
      log.error({ function: target.name, ms: longestRunMs }, "function took too long");
      return refusal(504, "IDLE_TIMEOUT", "Function did not respond in time");
    }
    if (!(answer instanceof Response)) throw new TypeError("function did not return a Response");
    return answer;
  } catch (error) {
    log.error({ err: error, function: target.name }, "function failed");
    const message = "Function exited due to an error (please check logs)";
    return refusal(500, "WORKER_ERROR", message, "EDGE_FUNCTION_ERROR");
  }
}
