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

interface Accepted {
  type: string;
  stripped: boolean;
  quality: number;
}

function parseAccepted(text: string): Accepted {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return {
    type,
    stripped: parameters.includes("nulls=stripped"),
    quality: quality === undefined ? 1 : Number(quality) || 0,
  };
}

function formatFor({ type, stripped }: Accepted): ResponseFormat | undefined {
  const suffix = `${stripped ? ";nulls=stripped" : ""}; charset=utf-8`;
  switch (type) {
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
  const wanted = accept
    .split(",")
    .map(parseAccepted)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const candidate of wanted) {
    const format = formatFor(candidate);
    if (format !== undefined) return format;
  }
  const types = accept.split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  throw new RestError(
    406,
    "PGRST107",
    `None of these media types are available: ${types.join(", ")}`,
  );
}
