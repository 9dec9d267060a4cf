import { isProviderError } from "./provider.ts";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, x-client-info, apikey, content-type",
  "access-control-allow-methods": "POST, OPTIONS",
};

/** A JSON answer that pages of any origin may read; nothing here relies on cookies. */
export function json(
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, {
    status,
    headers: { ...CORS, "cache-control": "no-store", ...headers },
  });
}

/** A refusal with its HTTP status, its code from docs/error-codes.md and a sentence for the member. */
export class Refusal extends Error {
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
export interface Manner {
  /** Name in the log. */
  name: string;
  /** The sentence for everything that is nobody's business. */
  failed: string;
  /** Fields every refusal carries beside `error` and `code`. */
  refusal?: Readonly<Record<string, unknown>>;
}

function refuse(
  manner: Manner,
  status: number,
  code: string,
  error: string,
  retryAfterS?: number,
): Response {
  const headers: Record<string, string> = {};
  if (status === 405) headers["allow"] = "POST, OPTIONS";
  if (retryAfterS !== undefined) headers["retry-after"] = String(retryAfterS);
  return json(status, { ...manner.refusal, error, code }, headers);
}

/** One line for the log. The provider's errors carry whole payments along, which belong in no log. */
export function describe(error: unknown): string {
  if (typeof error !== "object" || error === null || !("message" in error)) return String(error);
  const name = error instanceof Error ? `${error.name}: ` : "";
  const cause = "cause" in error && error.cause !== undefined ? ` (${describe(error.cause)})` : "";
  return `${name}${String(error.message)}${cause}`;
}

/**
 * Answers a POST with what `work` gives. A `Refusal` becomes its status and code; anything else is logged
 * and answered with a sentence that tells nothing.
 */
export async function answer(
  request: Request,
  manner: Manner,
  work: () => Promise<Response>,
): Promise<Response> {
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
  if (request.method !== "POST") {
    return refuse(manner, 405, "method_not_allowed", "This function is called with POST.");
  }
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.status >= 500) console.error(`${manner.name}: ${error.code}: ${describe(error)}`);
      return refuse(manner, error.status, error.code, error.message, error.retryAfterS);
    }
    console.error(`${manner.name}: ${describe(error)}`);
    return isProviderError(error)
      ? refuse(manner, 502, "provider_unavailable", manner.failed)
      : refuse(manner, 500, "internal_error", manner.failed);
  }
}
