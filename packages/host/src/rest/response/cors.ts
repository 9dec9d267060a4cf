const exposedHeaders =
  "Content-Encoding, Content-Location, Content-Profile, Content-Range, Content-Type, Date, Location, Preference-Applied, Range-Unit, Retry-After, Transfer-Encoding";

/**
 * Allows any site to read a response. Access depends on the token, which a browser never adds by itself.
 * The middleware of Hono takes every OPTIONS request for a preflight; PostgREST answers others with the methods.
 */
export function allowAnyOrigin(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", exposedHeaders);
}

export function buildPreflightResponse(request: Request): Response {
  const asked = request.headers.get("access-control-request-headers");
  const headers = new Headers({
    "access-control-allow-methods": "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD",
    "access-control-allow-headers": asked ?? "authorization, apikey, content-type, x-client-info",
    "access-control-max-age": "86400",
    vary: "Access-Control-Request-Headers",
  });
  allowAnyOrigin(headers);
  return new Response(null, { status: 204, headers });
}
