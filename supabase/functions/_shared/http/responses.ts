import { isStripeError } from "../billing/stripe-client.ts";

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
  "access-control-allow-methods": "POST, OPTIONS",
};

/** A JSON response that pages of any origin may read. Authentication does not use cookies. */
export function jsonResponse(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, {
    status,
    headers: { ...corsHeaders, "cache-control": "no-store", ...headers },
  });
}

/** A file for the calling page alone: never cached, and never shown by the browser as what it claims to be. */
export function bytesResponse(bytes: Blob): Response {
  return new Response(bytes, {
    headers: {
      ...corsHeaders,
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

/** An error with its HTTP status, its code from docs/error-codes.md and a message for the member. */
export class FunctionError extends Error {
  readonly status: number;
  readonly code: string;
  /** Value of the `retry-after` header, in seconds. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: ErrorOptions & { retryAfterS?: number } = {},
  ) {
    super(message, options);
    this.name = "FunctionError";
    this.status = status;
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }
}

/** Name and error texts of one function. */
export interface HandlerOptions {
  /** Name in the log. */
  name: string;
  /** Message sent for unexpected errors, whose details stay in the log. */
  failureMessage: string;
  /** Fields of every error body besides `error` and `code`. */
  errorFields?: Readonly<Record<string, unknown>>;
}

function errorResponse(
  options: HandlerOptions,
  status: number,
  code: string,
  error: string,
  retryAfterS?: number,
): Response {
  const headers: Record<string, string> = {};
  if (status === 405) headers["allow"] = "POST, OPTIONS";
  if (retryAfterS !== undefined) headers["retry-after"] = String(retryAfterS);
  return jsonResponse(status, { ...options.errorFields, error, code }, headers);
}

/** One line for the log: messages only, because Stripe's error objects contain whole payments. */
export function errorForLog(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return String(error);
  const name = error instanceof Error ? `${error.name}: ` : "";
  const cause =
    "cause" in error && error.cause !== undefined ? ` (${errorForLog(error.cause)})` : "";
  return `${name}${String(error.message)}${cause}`;
}

/**
 * Answers a POST with the response of `work`, and a preflight with the CORS headers. A `FunctionError` becomes its
 * status and code; any other error is logged and answered with `failureMessage`.
 */
export async function handlePost(
  request: Request,
  options: HandlerOptions,
  work: () => Promise<Response>,
): Promise<Response> {
  if (request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: corsHeaders });
  if (request.method !== "POST") {
    return errorResponse(options, 405, "method_not_allowed", "This function is called with POST.");
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof FunctionError) {
      if (error.status >= 500)
        console.error(`${options.name}: ${error.code}: ${errorForLog(error)}`);
      return errorResponse(options, error.status, error.code, error.message, error.retryAfterS);
    }
    console.error(`${options.name}: ${errorForLog(error)}`);
    return isStripeError(error)
      ? errorResponse(options, 502, "provider_unavailable", options.failureMessage)
      : errorResponse(options, 500, "internal_error", options.failureMessage);
  }
}
