// Runs an edge function in this process, with the time limit and the error codes of hosted Supabase.

import type { Logger } from "pino";
import { withConsole } from "./function-console.ts";
import { withSpan } from "../tracing/with-span.ts";
import type { FunctionEnv, Handler, ProjectFunction } from "./function-registry.ts";

/** Milliseconds a function may take to answer, as on hosted Supabase. */
export const maxRunMs = 150_000;

/** An error response of the host itself, with the code in the header that hosted Supabase uses. */
export function functionError(
  status: number,
  code: string,
  message: string,
  headerCode = code,
): Response {
  return Response.json({ code, message }, { status, headers: { "sb-error-code": headerCode } });
}

const timedOut = Symbol("timed out");

/** Resolves to `work`'s value, or to `timedOut` after `ms` milliseconds. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(resolve, ms, timedOut);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls a function and returns its response. Returns an error response when the function cannot be loaded (503),
 * throws (500) or times out (504; its request's signal is aborted). Never throws; the error itself goes to the log only.
 * @param options `requestId` stands as `id` beside everything the function and the host write of this call.
 */
export async function invokeFunction(
  target: ProjectFunction,
  makeRequest: (signal: AbortSignal) => Request,
  options: { env: FunctionEnv; log: Logger; requestId: string; maxRunMs: number },
): Promise<Response> {
  const { env, maxRunMs } = options;
  const log = options.log.child({ function: target.name, id: options.requestId });
  let handler: Handler;
  try {
    handler = await withConsole(log, target.load);
  } catch (error) {
    log.error({ err: error }, "function could not be loaded");
    return functionError(503, "BOOT_ERROR", "Function failed to start (please check logs)");
  }
  const abort = new AbortController();
  const run = async () =>
    await withSpan(`function ${target.name}`, { "request.id": options.requestId }, () =>
      withConsole(log, async () => await handler(makeRequest(abort.signal), { env })),
    );
  try {
    const running = run();
    const response = await withTimeout(running, maxRunMs);
    if (response === timedOut) {
      abort.abort();
      // A rejection after the timeout must not end the process.
      running.catch((error: unknown) => {
        log.error({ err: error }, "function failed after its time was up");
      });
      log.error({ ms: maxRunMs }, "function took too long");
      return functionError(504, "IDLE_TIMEOUT", "Function did not respond in time");
    }
    if (!(response instanceof Response)) throw new TypeError("function did not return a Response");
    return response;
  } catch (error) {
    log.error({ err: error }, "function failed");
    const message = "Function exited due to an error (please check logs)";
    return functionError(500, "WORKER_ERROR", message, "EDGE_FUNCTION_ERROR");
  }
}
