const exposedHeaders =
  "Content-Encoding, Content-Location, Content-Profile, Content-Range, Content-Type, Date, Location, Preference-Applied, Range-Unit, Retry-After, Transfer-Encoding";

/** Allows any site to read a response. Access depends on the token, which a browser never adds by itself. */
export function allowAnyOrigin(headers: Headers): void {
  headers.set("access-control-allow-origin", "*");
  headers.set("access-control-expose-headers", exposedHeaders);
}

/** True for a CORS preflight request. */
export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
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
