import { isStripeError } from "./stripe-client.ts";

const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
  "access-control-allow-methods": "POST, OPTIONS",
};

/** A JSON answer that pages of any origin may read; nothing here relies on cookies. */
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

/** A refusal with its HTTP status, its code from docs/error-codes.md and a sentence for the member. */
export class FunctionError extends Error {
  readonly status: number;
  readonly code: string;
  /** Seconds after which it is worth trying again, where that is known. */
  readonly retryAfterS: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: ErrorOptions & { retryAfterS?: number } = {},
  ) {
    super(message, options);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.retryAfterS = options.retryAfterS;
  }
}

/** How one function speaks when it fails. */
export interface HandlerOptions {
  /** Name in the log. */
  name: string;
  /** The sentence for everything that is nobody's business. */
  failureMessage: string;
  /** Fields every refusal carries beside `error` and `code`. */
  errorFields?: Readonly<Record<string, unknown>>;
}

function refuse(
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

/** One line for the log. The provider's errors carry whole payments along, which belong in no log. */
export function errorForLog(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return String(error);
  const name = error instanceof Error ? `${error.name}: ` : "";
  const cause =
    "cause" in error && error.cause !== undefined ? ` (${errorForLog(error.cause)})` : "";
  return `${name}${String(error.message)}${cause}`;
}

/**
 * Answers a POST with what `work` gives. A `Refusal` becomes its status and code; anything else is logged
 * and answered with a sentence that tells nothing.
 */
export async function handlePost(
  request: Request,
  options: HandlerOptions,
  work: () => Promise<Response>,
): Promise<Response> {
  if (request.method === "OPTIONS")
    return new Response(null, { status: 204, headers: corsHeaders });
  if (request.method !== "POST") {
    return refuse(options, 405, "method_not_allowed", "This function is called with POST.");
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof FunctionError) {
      if (error.status >= 500)
        console.error(`${options.name}: ${error.code}: ${errorForLog(error)}`);
      return refuse(options, error.status, error.code, error.message, error.retryAfterS);
    }
    console.error(`${options.name}: ${errorForLog(error)}`);
    return isStripeError(error)
      ? refuse(options, 502, "provider_unavailable", options.failureMessage)
      : refuse(options, 500, "internal_error", options.failureMessage);
  }
}
