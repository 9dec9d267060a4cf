/** Values of an API error's `type`. */
type ApiErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

export interface ApiErrorBody {
  type: ApiErrorType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: object;
  payment_method?: object;
  setup_intent?: object;
}

/** An error sent as `{ error: body }` with the given HTTP status. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly body: ApiErrorBody;

  constructor(status: number, body: ApiErrorBody) {
    super(body.message);
    this.name = "StripeApiError";
    this.status = status;
    this.body = body.code
      ? {
          ...body,
          doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}`,
        }
      : body;
  }
}

/** 400 `invalid_request_error`. */
export function invalidRequest(message: string, param?: string, code?: string): StripeApiError {
  return new StripeApiError(400, {
    type: "invalid_request_error",
    message,
    ...(param !== undefined && { param }),
    ...(code !== undefined && { code }),
  });
}

/** `No such customer: 'cus_1'` (`resource_missing`): 404 when the id is in the path, 400 when it is a parameter. */
export function resourceMissing(kind: string, id: string, param = "id"): StripeApiError {
  return new StripeApiError(param === "id" ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** Why an issuer or the network declined a card. */
export interface Decline {
  code: string;
  declineCode?: string;
  message: string;
  param?: string;
}

/** 402 `card_error` for a declined card. */
export function cardError(decline: Decline, extra: Partial<ApiErrorBody> = {}): StripeApiError {
  return new StripeApiError(402, {
    type: "card_error",
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode !== undefined && { decline_code: decline.declineCode }),
    ...(decline.param !== undefined && { param: decline.param }),
    ...extra,
  });
}
