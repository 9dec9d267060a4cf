import type { HttpBindings } from "@hono/node-server";
import { Hono, type Context } from "hono";
import { doDueWork } from "../billing/due-work.ts";
import type { SandboxLog } from "../delivery/webhook.ts";
import { badRequest, StripeFault } from "../fault.ts";
import { newId } from "../ids.ts";
import type { StoredAnswer } from "../tables.ts";
import { API_VERSION, type World } from "../world.ts";
import { readBody } from "./body.ts";
import { expandAnswer } from "./expand.ts";
import { parseForm, type FormObject } from "./form.ts";
import { fingerprintOfRequest, type IdempotentAnswers } from "./idempotency.ts";
import { checkKey, publishableKeyFault, type ApiKeys } from "./keys.ts";
import { pause, type MetFault, type NetworkFaults } from "./network-faults.ts";
import { matchRoute, type Route } from "./route.ts";

export interface ApiParts extends ApiKeys {
  world: World;
  routes: readonly Route[];
  answers: IdempotentAnswers;
  faults: NetworkFaults;
  log: SandboxLog;
  /** Aborted when the sandbox stops, so that delays end. */
  stopping: AbortSignal;
  /** Resolves when the state is kept. */
  save: () => Promise<void>;
}

type Bindings = { Bindings: Partial<HttpBindings> };
type ApiContext = Context<Bindings>;
type Answer = Omit<StoredAnswer, "fingerprint" | "storedAt">;

/**
 * The API below /v1. With `browserOnly` it takes nothing but the publishable key, as fits an address that
 * browsers can reach.
 */
export function createApi(parts: ApiParts, browserOnly: boolean): Hono<Bindings> {
  const app = new Hono<Bindings>();
  app.all("/v1/*", async (c) => {
    const requestId = newId("req");
    try {
      return await serveCall(c, parts, requestId, browserOnly);
    } catch (cause) {
      if (cause instanceof StripeFault) return reply(c, faultAnswer(cause, requestId));
      parts.log.warn({ error: String(cause), path: c.req.path }, "sandbox call failed");
      const body = { type: "api_error" as const, message: "The sandbox failed. See its log." };
      return reply(c, faultAnswer(new StripeFault(500, body), requestId));
    }
  });
  return app;
}

async function serveCall(
  c: ApiContext,
  parts: ApiParts,
  requestId: string,
  browserOnly: boolean,
): Promise<Response> {
  const isPublic = checkKey(c.req.header("authorization") ?? "", parts, browserOnly);
  const { method } = c.req;
  const path = c.req.path.slice(c.req.path.indexOf("/v1/"));
  const match = matchRoute(parts.routes, method, path.slice("/v1".length));
  if (!match) {
    throw new StripeFault(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    });
  }
  if (isPublic && !match.route.isPublic) throw publishableKeyFault();
  const body = await readBody(c.req.raw);
  const raw = parseForm(body);
  const key = method === "POST" ? c.req.header("idempotency-key") : undefined;
  const fingerprint = fingerprintOfRequest(method, path, body);
  const trouble = parts.faults.take(method, path);
  const stored = key === undefined ? null : parts.answers.begin(key, fingerprint);
  const headers = key === undefined ? {} : { "idempotency-key": key };
  if (stored) {
    const lost = trouble ? await suffer(c, trouble, parts, requestId) : null;
    return lost ?? reply(c, stored, { ...headers, "idempotent-replayed": "true" });
  }
  let answer: Answer | null = null;
  try {
    const refused = trouble?.when === "before" ? await suffer(c, trouble, parts, requestId) : null;
    if (refused) return refused;
    answer = carryOut(parts, match, { raw, url: path, isPublic, requestId, key: key ?? null });
  } finally {
    const kept = answer && isExecuted(answer) ? { ...answer, fingerprint } : null;
    if (key !== undefined) parts.answers.finish(key, kept);
  }
  await parts.save();
  const lost = trouble?.when === "after" ? await suffer(c, trouble, parts, requestId) : null;
  return lost ?? reply(c, answer, headers);
}

interface Performance {
  raw: FormObject;
  url: string;
  isPublic: boolean;
  requestId: string;
  key: string | null;
}

/** Runs the endpoint as one step; its faults are answers too. */
function carryOut(
  { world }: ApiParts,
  { route, id }: { route: Route; id: string },
  { raw, url, isPublic, requestId, key }: Performance,
): Answer {
  const { expand, ...params } = raw;
  world.request = null;
  doDueWork(world);
  world.request = { id: requestId, idempotencyKey: key };
  try {
    const paths = expandPaths(expand);
    const result = route.run({ world, raw: params, id, url, isPublic });
    const body = JSON.stringify(expandAnswer(world, result, paths), null, 2);
    return { status: 200, body, requestId };
  } catch (cause) {
    if (cause instanceof StripeFault) return faultAnswer(cause, requestId);
    throw cause;
  } finally {
    world.request = null;
  }
}

function expandPaths(given: FormObject[string] | undefined): string[] {
  if (given === undefined) return [];
  const paths = Array.isArray(given) ? given : [given];
  return paths.map((path) => {
    if (typeof path === "string") return path;
    throw badRequest("Invalid array", "expand");
  });
}

/** Refusals before anything was done do not use up an idempotency key. */
function isExecuted(answer: Answer): boolean {
  return answer.status < 400 || answer.status === 402;
}

async function suffer(
  c: ApiContext,
  fault: MetFault,
  { stopping }: ApiParts,
  requestId: string,
): Promise<Response | null> {
  await pause(fault.delayMs ?? 0, AbortSignal.any([stopping, fault.cleared]));
  if (fault.action === "delay") return null;
  if (fault.action === "drop") {
    c.env.incoming?.socket.destroy();
    return c.body(null, 502);
  }
  const message = "An unknown error occurred";
  return reply(
    c,
    faultAnswer(new StripeFault(fault.status ?? 500, { type: "api_error", message }), requestId),
  );
}

function faultAnswer(fault: StripeFault, requestId: string): Answer {
  return { status: fault.status, body: JSON.stringify({ error: fault.body }, null, 2), requestId };
}

function reply(c: ApiContext, answer: Answer, headers: Record<string, string> = {}): Response {
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-cache, no-store",
      "request-id": answer.requestId,
      "stripe-version": c.req.header("stripe-version") ?? API_VERSION,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "Request-Id",
      ...headers,
    },
  });
}
