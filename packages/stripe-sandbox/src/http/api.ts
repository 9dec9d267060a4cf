import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { runDueWork } from "../billing/due-work.ts";
import type { SandboxLog } from "../delivery/webhook-sender.ts";
import { invalidRequest, StripeApiError } from "../api-errors.ts";
import { newObjectId } from "../ids.ts";
import type { StoredResponse } from "../tables.ts";
import { apiVersion, type SandboxState } from "../sandbox-state.ts";
import { readFormBody } from "./form-body.ts";
import { expandResponse } from "./expand.ts";
import { parseForm, type FormObject } from "./form.ts";
import { fingerprintOfRequest, type IdempotentResponses } from "./idempotency.ts";
import { checkKey, secretKeyRequired, type SandboxKeys } from "./keys.ts";
import { pause, type ActiveFault, type NetworkFaults } from "./network-faults.ts";
import type { Route } from "./route.ts";

export interface ApiOptions extends SandboxKeys {
  state: SandboxState;
  routes: readonly Route[];
  responses: IdempotentResponses;
  faults: NetworkFaults;
  log: SandboxLog;
  /** Aborted when the sandbox stops, so that delays end. */
  stopping: AbortSignal;
  /** Resolves when the state is saved. */
  save: () => Promise<void>;
}

type Bindings = { Bindings: Partial<HttpBindings> };
type ApiContext = Context<Bindings>;
type ApiResponse = Omit<StoredResponse, "fingerprint" | "storedAt">;

/**
 * The API below /v1. With `browserOnly` it accepts the publishable key only, for an address that browsers can reach.
 */
export function createApi(options: ApiOptions, browserOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  const respond = (route: Route | null) => async (c: ApiContext) => {
    const requestId = newObjectId("req");
    try {
      const isPublic = checkKey(c.req.header("authorization") ?? "", options, browserOnly);
      if (route === null) throw unrecognizedUrl(c);
      if (isPublic && !route.isPublic) throw secretKeyRequired();
      return await answerCall(c, options, { route, isPublic, requestId });
    } catch (cause) {
      if (cause instanceof StripeApiError) return reply(c, errorResponse(cause, requestId));
      options.log.warn({ error: String(cause), path: c.req.path }, "sandbox call failed");
      const body = { type: "api_error" as const, message: "The sandbox failed. See its log." };
      return reply(c, errorResponse(new StripeApiError(500, body), requestId));
    }
  };
  for (const route of options.routes) app.on(route.method, `/v1/${route.path}`, respond(route));
  app.all("/v1/*", respond(null));
  return app;
}

/** Path from /v1 on, wherever the API is mounted. */
function apiPath(c: ApiContext): string {
  return c.req.path.slice(c.req.path.indexOf("/v1/"));
}

function unrecognizedUrl(c: ApiContext): StripeApiError {
  return new StripeApiError(404, {
    type: "invalid_request_error",
    message: `Unrecognized request URL (${c.req.method}: ${apiPath(c)}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
  });
}

interface Endpoint {
  route: Route;
  isPublic: boolean;
  requestId: string;
}

/** Answers one call: idempotency, injected faults, the endpoint itself. */
async function answerCall(
  c: ApiContext,
  options: ApiOptions,
  endpoint: Endpoint,
): Promise<Response> {
  const { requestId } = endpoint;
  const { method } = c.req;
  const path = apiPath(c);
  const body = await readFormBody(c.req.raw);
  const raw = parseForm(body);
  const key = method === "POST" ? c.req.header("idempotency-key") : undefined;
  const fingerprint = fingerprintOfRequest(method, path, body);
  const fault = options.faults.take(method, path);
  const stored = key === undefined ? null : options.responses.begin(key, fingerprint);
  const headers = key === undefined ? {} : { "idempotency-key": key };
  if (stored) {
    const failed = fault ? await applyFault(c, fault, options, requestId) : null;
    return failed ?? reply(c, stored, { ...headers, "idempotent-replayed": "true" });
  }
  let response: ApiResponse | null = null;
  try {
    const failed = fault?.when === "before" ? await applyFault(c, fault, options, requestId) : null;
    if (failed) return failed;
    const id = c.req.param("id") ?? "";
    response = execute(options, endpoint, { raw, url: path, id, key: key ?? null });
    // Stripe keeps what an executed call answered, an error of its own included.
    if (fault?.when === "after" && fault.action === "error")
      response = faultResponse(fault, requestId);
  } finally {
    const kept = response && usesIdempotencyKey(response) ? { ...response, fingerprint } : null;
    if (key !== undefined) options.responses.finish(key, kept);
  }
  await options.save();
  const failed = fault?.when === "after" ? await applyFault(c, fault, options, requestId) : null;
  return failed ?? reply(c, response, headers);
}

interface ExecuteInput {
  raw: FormObject;
  url: string;
  id: string;
  /** The idempotency key. */
  key: string | null;
}

/** Runs the endpoint in one synchronous step. API errors become responses. */
function execute(
  { state }: ApiOptions,
  { route, isPublic, requestId }: Endpoint,
  { raw, url, id, key }: ExecuteInput,
): ApiResponse {
  const { expand, ...params } = raw;
  state.request = null;
  runDueWork(state);
  state.request = { id: requestId, idempotencyKey: key };
  try {
    const paths = expandPaths(expand);
    const result = route.run({ state, raw: params, id, url, isPublic });
    const body = JSON.stringify(expandResponse(state, result, paths), null, 2);
    return { status: 200, body, requestId };
  } catch (cause) {
    if (cause instanceof StripeApiError) return errorResponse(cause, requestId);
    throw cause;
  } finally {
    state.request = null;
  }
}

function expandPaths(given: FormObject[string] | undefined): string[] {
  if (given === undefined) return [];
  const paths = Array.isArray(given) ? given : [given];
  return paths.map((path) => {
    if (typeof path === "string") return path;
    throw invalidRequest("Invalid array", "expand");
  });
}

/** Requests refused before they were executed do not use up an idempotency key; every other answer is kept. */
function usesIdempotencyKey({ status }: ApiResponse): boolean {
  return status < 400 || status === 402 || status >= 500;
}

async function applyFault(
  c: ApiContext,
  fault: ActiveFault,
  { stopping }: ApiOptions,
  requestId: string,
): Promise<Response | null> {
  await pause(fault.delayMs ?? 0, AbortSignal.any([stopping, fault.cleared]));
  if (fault.action === "delay") return null;
  if (fault.action === "drop") {
    c.env.incoming?.socket.destroy();
    return c.body(null, 502);
  }
  return reply(c, faultResponse(fault, requestId));
}

function faultResponse(fault: ActiveFault, requestId: string): ApiResponse {
  const message = "An unknown error occurred";
  const error = new StripeApiError(fault.status ?? 500, { type: "api_error", message });
  return { ...errorResponse(error, requestId), shouldRetry: fault.shouldRetry };
}

function errorResponse(error: StripeApiError, requestId: string): ApiResponse {
  return { status: error.status, body: JSON.stringify({ error: error.body }, null, 2), requestId };
}

function reply(
  c: ApiContext,
  response: ApiResponse,
  headers: Record<string, string> = {},
): Response {
  return new Response(response.body, {
    status: response.status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-cache, no-store",
      "request-id": response.requestId,
      ...(response.shouldRetry === undefined
        ? {}
        : { "stripe-should-retry": String(response.shouldRetry) }),
      "stripe-version": c.req.header("stripe-version") ?? apiVersion,
      ...headers,
    },
  });
}
