// Content negotiation: maps the Accept header to a JSON array, a single object or CSV.

import { parseAccept, type Accept } from "hono/utils/accept";
import { RestError } from "../errors.ts";

/** The format of a response body. */
export interface ResponseFormat {
  shape: "array" | "object" | "csv";
  stripNulls: boolean;
  /** Content-Type of the response. */
  contentType: string;
}

const jsonFormat: ResponseFormat = {
  shape: "array",
  stripNulls: false,
  contentType: "application/json; charset=utf-8",
};

function formatFor({ type, params }: Accept): ResponseFormat | undefined {
  const stripped = params["nulls"]?.toLowerCase() === "stripped";
  const suffix = `${stripped ? ";nulls=stripped" : ""}; charset=utf-8`;
  switch (type.toLowerCase()) {
    case "application/json":
    case "application/*":
    case "*/*":
      return jsonFormat;
    case "application/vnd.pgrst.object+json":
    case "application/vnd.pgrst.object":
      return {
        shape: "object",
        stripNulls: stripped,
        contentType: `application/vnd.pgrst.object+json${suffix}`,
      };
    case "application/vnd.pgrst.array+json":
    case "application/vnd.pgrst.array":
      return {
        shape: "array",
        stripNulls: stripped,
        contentType: stripped
          ? `application/vnd.pgrst.array+json${suffix}`
          : jsonFormat.contentType,
      };
    case "text/csv":
      return { shape: "csv", stripNulls: false, contentType: "text/csv; charset=utf-8" };
    default:
      return undefined;
  }
}

/**
 * Chooses the format from the Accept header, by quality and then by order.
 * Planner output and other media types are not supported.
 * @throws {RestError} PGRST107
 */
export function negotiateFormat(accept: string | null): ResponseFormat {
  if (accept === null || accept.trim() === "") return jsonFormat;
  const wanted = parseAccept(accept);
  for (const candidate of wanted) {
    const format = candidate.q > 0 ? formatFor(candidate) : undefined;
    if (format !== undefined) return format;
  }
  throw new RestError(
    406,
    "PGRST107",
    `None of these media types are available: ${wanted.map(({ type }) => type).join(", ")}`,
  );
}
