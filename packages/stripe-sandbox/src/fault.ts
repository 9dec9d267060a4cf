/** The error types of the provider's API bodies. */
type FaultType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

export interface FaultBody {
  type: FaultType;
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: object;
  payment_method?: object;
}

/** An error that is answered as `{ error: body }` with the given HTTP status. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: FaultBody;

  constructor(status: number, body: FaultBody) {
    super(body.message);
    this.name = "StripeFault";
    this.status = status;
    this.body = body.code
      ? {
          ...body,
          doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll("_", "-")}`,
        }
      : body;
  }
}

/** 400 for a request that cannot be understood or carried out. */
export function badRequest(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, {
    type: "invalid_request_error",
    message,
    ...(param !== undefined && { param }),
    ...(code !== undefined && { code }),
  });
}

/** `No such customer: 'cus_1'`: 404 when the id is in the path, 400 when it is a parameter. */
export function noSuch(kind: string, id: string, param = "id"): StripeFault {
  return new StripeFault(param === "id" ? 404 : 400, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** Why an issuer or the network refused a card. */
export interface Decline {
  code: string;
  declineCode?: string;
  message: string;
  param?: string;
}

/** 402, what a refused card gives. */
export function cardFault(decline: Decline, extra: Partial<FaultBody> = {}): StripeFault {
  return new StripeFault(402, {
    type: "card_error",
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode !== undefined && { decline_code: decline.declineCode }),
    ...(decline.param !== undefined && { param: decline.param }),
    ...extra,
  });
}
