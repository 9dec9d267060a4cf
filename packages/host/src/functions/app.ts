// Serves `/functions/v1`: checks the JWT and the size of the body, adds CORS and passes the request to the function.

import { Hono, type Context } from "hono";
import { clientAddress } from "../limits/client-address.ts";
import type { HostContext } from "../context.ts";
import { readLimitedBody } from "../http/limited-body.ts";
import { isPreflight } from "../http/preflight.ts";
import { invokeFunction, maxRunMs, functionError } from "./invoke-function.ts";
import { buildFunctionEnv, listFunctions, type ProjectFunction } from "./function-registry.ts";

const maxBodyBytes = 6 * 1024 ** 2;
const pathPrefix = "/functions/v1";
const defaultAllowedHeaders = "authorization, x-client-info, apikey, content-type";

/** The error of a request refused before it reaches the function; the header tells clients so. */
function refused(code: string, message: string): Response {
  const response = functionError(401, code, message);
  response.headers.set("x-relay-error", "true");
  response.headers.set("access-control-expose-headers", "x-relay-error, sb-error-code");
  return response;
}

/** The response for a request without a valid JWT; undefined when the JWT is valid. */
async function jwtError(context: HostContext, request: Request): Promise<Response | undefined> {
  const header = request.headers.get("authorization");
  if (header === null) {
    return refused("UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header");
  }
  const token = /^bearer\s+(\S+)\s*$/i.exec(header)?.[1] ?? "";
  // Publishable and secret keys are not JWTs. Hosted Supabase refuses them here too.
  if (token.split(".").length !== 3) {
    return refused("UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT");
  }
  try {
    await context.keys.verify(token);
    return undefined;
  } catch {
    return refused("UNAUTHORIZED_INVALID_JWT", "Invalid JWT");
  }
}

/** Adds permissive CORS headers unless the function set its own, which the middleware of Hono would replace. */
function withCors(request: Request, response: Response): Response {
  if (response.headers.has("access-control-allow-origin")) return response;
  if (!isPreflight(request)) {
    const open = new Response(response.body, response);
    open.headers.set("access-control-allow-origin", "*");
    return open;
  }
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
      "access-control-allow-headers":
        request.headers.get("access-control-request-headers") ?? defaultAllowedHeaders,
      "access-control-max-age": "3600",
    },
  });
}

/** Serves HTML and SVG as plain text, because functions share the site's origin. Hosted Supabase does the same. */
function withoutHtml(response: Response): Response {
  const safe = new Response(response.body, response);
  safe.headers.set("x-content-type-options", "nosniff");
  if (/^text\/html|xhtml|svg/i.test(response.headers.get("content-type") ?? "")) {
    safe.headers.set("content-type", "text/plain; charset=utf-8");
  }
  return safe;
}

/** Limits of one call. */
export interface FunctionLimits {
  maxRunMs: number;
  maxBodyBytes: number;
}

/**
 * Serves every `supabase/functions/<name>` at `/functions/v1/<name>`, sub-paths included.
 * See docs/subsystems/functions.md.
 */
export function createFunctionsApp(
  context: HostContext,
  env: Readonly<Record<string, string>>,
  limits: FunctionLimits = { maxRunMs, maxBodyBytes },
): Hono {
  const functions = listFunctions(context.project);
  const functionEnv = buildFunctionEnv(env);

  const respond = async (c: Context, target: ProjectFunction | undefined): Promise<Response> => {
    const request = c.req.raw;
    if (target === undefined) {
      return functionError(404, "NOT_FOUND", "Requested function was not found");
    }
    if (target.verifyJwt && request.method !== "OPTIONS") {
      const error = await jwtError(context, request);
      if (error !== undefined) return error;
    }
    const hasBody = !["GET", "HEAD"].includes(request.method) && !isPreflight(request);
    const body = hasBody
      ? await readLimitedBody(request, limits.maxBodyBytes, {
          drainBytes: limits.maxBodyBytes * 3,
        })
      : undefined;
    if (hasBody && body === undefined) {
      return functionError(413, "PAYLOAD_TOO_LARGE", "Request body is too large");
    }
    // As on hosted Supabase, the path the function sees starts with its own name.
    const { pathname, search } = new URL(request.url);
    const url = new URL(context.publicUrl);
    url.pathname = pathname.slice(pathname.indexOf(pathPrefix) + pathPrefix.length);
    url.search = search;
    const headers = new Headers(request.headers);
    // The client's own value is not trusted.
    headers.set("x-forwarded-for", clientAddress(c, context.config.trustedProxy));
    return await invokeFunction(
      target,
      (signal) =>
        new Request(url, {
          method: request.method,
          headers,
          signal,
          ...(body === undefined ? {} : { body: body as BodyInit }),
        }),
      {
        env: functionEnv,
        log: context.log,
        requestId: c.get("requestId"),
        maxRunMs: limits.maxRunMs,
      },
    );
  };

  const app = new Hono();
  app.all("/:name/*", async (c) => {
    const response = await respond(c, functions.get(c.req.param("name")));
    return withoutHtml(withCors(c.req.raw, response));
  });
  app.all("*", async (c) => withCors(c.req.raw, await respond(c, undefined)));
  return app;
}
