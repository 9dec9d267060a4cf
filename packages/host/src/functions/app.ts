import { Hono, type Context } from "hono";
import { clientAddress } from "../limits/client-address.ts";
import type { HostContext } from "../context.ts";
import { callFunction, LONGEST_RUN_MS, refusal } from "./call-function.ts";
import { freezeEnv, listFunctions, type ProjectFunction } from "./registry.ts";

const LARGEST_BODY = 6 * 1024 ** 2;
const PREFIX = "/functions/v1";
const CORS_HEADERS = "authorization, x-client-info, apikey, content-type";

/** The bytes as they came, so that signatures over them hold; undefined when there are too many. */
async function readBody(request: Request, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    size += next.value.byteLength;
    if (size <= most) chunks.push(next.value);
    // A client often listens only once it has said everything; one that never ends is cut off.
    else if (size > most * 4) {
      await reader?.cancel();
      break;
    }
  }
  return size > most ? undefined : Buffer.concat(chunks);
}

/** Why this request may not reach a function that wants a JWT; undefined when it may. */
async function jwtRefusal(context: HostContext, request: Request): Promise<Response | undefined> {
  const header = request.headers.get("authorization");
  if (header === null) {
    return refusal(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header");
  }
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? "";
  // A publishable or secret key is no JWT: hosted Supabase turns it away here too.
  if (token.split(".").length !== 3) {
    return refusal(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT");
  }
  try {
    await context.keys.verify(token);
    return undefined;
  } catch {
    return refusal(401, "UNAUTHORIZED_INVALID_JWT", "Invalid JWT");
  }
}

function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

/** What a browser hears when the function itself does not speak about other origins. */
function withCors(request: Request, answer: Response): Response {
  if (answer.headers.has("access-control-allow-origin")) return answer;
  if (!isPreflight(request)) {
    const open = new Response(answer.body, answer);
    open.headers.set("access-control-allow-origin", "*");
    return open;
  }
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers":
        request.headers.get("access-control-request-headers") ?? CORS_HEADERS,
      "access-control-max-age": "3600",
    },
  });
}

/** Functions share the site's origin, so none of their answers may be a page in it; hosted Supabase forbids it too. */
function withoutPages(answer: Response): Response {
  const safe = new Response(answer.body, answer);
  safe.headers.set("x-content-type-options", "nosniff");
  if (/^text\/html|xhtml|svg/i.test(answer.headers.get("content-type") ?? "")) {
    safe.headers.set("content-type", "text/plain; charset=utf-8");
  }
  return safe;
}

/** Limits of one run; tests make them small. */
export interface FunctionLimits {
  longestRunMs: number;
  largestBody: number;
}

/**
 * Serves every `supabase/functions/<name>` at `/functions/v1/<name>`, sub-paths included.
 * See docs/subsystems/functions.md.
 */
export function createFunctionsApp(
  context: HostContext,
  env: Readonly<Record<string, string>>,
  limits: FunctionLimits = { longestRunMs: LONGEST_RUN_MS, largestBody: LARGEST_BODY },
): Hono {
  const functions = listFunctions(context.project);
  const frozen = freezeEnv(env);

  const answer = async (c: Context, target: ProjectFunction | undefined): Promise<Response> => {
    const request = c.req.raw;
    if (target === undefined) {
      return refusal(404, "NOT_FOUND", "Requested function was not found");
    }
    if (target.verifyJwt && request.method !== "OPTIONS") {
      const refused = await jwtRefusal(context, request);
      if (refused !== undefined) return refused;
    }
    const hasBody = !["GET", "HEAD"].includes(request.method) && !isPreflight(request);
    const body = hasBody ? await readBody(request, limits.largestBody) : undefined;
    if (hasBody && body === undefined) {
      return refusal(413, "PAYLOAD_TOO_LARGE", "Request body is too large");
    }
    // As on hosted Supabase the function sees its own name first in the path, under the public origin.
    const { pathname, search } = new URL(request.url);
    const url = new URL(context.publicUrl);
    url.pathname = pathname.slice(pathname.indexOf(PREFIX) + PREFIX.length);
    url.search = search;
    const headers = new Headers(request.headers);
    // What the client itself wrote here is hearsay.
    headers.set("x-forwarded-for", clientAddress(c, context.config.trustedProxy));
    return await callFunction(
      target,
      (signal) =>
        new Request(url, {
          method: request.method,
          headers,
          signal,
          ...(body === undefined ? {} : { body: body as BodyInit }),
        }),
      { env: frozen, log: context.log, longestRunMs: limits.longestRunMs },
    );
  };

  const app = new Hono();
  app.all("/:name/*", async (c) => {
    const result = await answer(c, functions.get(c.req.param("name")));
    return withoutPages(withCors(c.req.raw, result));
  });
  app.all("*", async (c) => withCors(c.req.raw, await answer(c, undefined)));
  return app;
}
