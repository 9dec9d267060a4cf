// What a host answers while it starts: its port is bound first, its database and its app come later.

import { hash } from "node:crypto";
import type { HttpError } from "./http-error.ts";

/** The error of every request until the host has started. */
export const startingError: HttpError = {
  status: 503,
  code: "starting",
  message: "The host is starting.",
  headers: { "retry-after": "1" },
};

const style = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 1rem; text-align: center; }
h1 { font-size: 1.375rem; font-weight: 600; margin: 0 0 0.25rem; }
p { margin: 0; }`;

/** It loads itself again, without a script, until there is something else to show. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="3">
<title>Back in a moment</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Back in a moment</h1>
<p>This site is being started. The page tries again by itself.</p>
</main>
</body>
</html>
`;

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
};

/** The answer to a request while the host starts: a page for a browser that opens one, else a coded error. */
export function startingResponse(request: Request): Response {
  const { status, code, message, headers = {} } = startingError;
  const isPage = request.method === "GET" && request.headers.get("sec-fetch-dest") === "document";
  return isPage
    ? new Response(page, {
        status,
        headers: { ...headers, ...pageHeaders, "cache-control": "no-store" },
      })
    : Response.json({ code, message }, { status, headers });
}
