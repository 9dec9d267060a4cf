import type { z } from "zod";
import { FunctionError } from "./responses.ts";

/** In characters. */
const maxBodyLength = 10_000;

/**
 * Parses the JSON body with `schema`.
 * @param whenEmpty used in place of an empty body; without it an empty body is refused.
 * @throws {FunctionError} 400 invalid_request, naming the first invalid field, or 413 request_too_large.
 */
export async function parseBody<T extends z.ZodType>(
  request: Request,
  schema: T,
  whenEmpty = "",
): Promise<z.infer<T>> {
  const text = (await request.text()) || whenEmpty;
  if (text.length > maxBodyLength)
    throw new FunctionError(413, "request_too_large", "The request is too large.");
  let body: unknown;
  // Postgres cannot store NUL, nor half of a surrogate pair.
  let isStorable = true;
  try {
    body = JSON.parse(text, (_name, value: unknown) => {
      isStorable &&= typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
      return value;
    });
  } catch {
    throw new FunctionError(400, "invalid_request", "The request is not valid JSON.");
  }
  if (!isStorable) {
    throw new FunctionError(
      400,
      "invalid_request",
      "The request contains a character that can't be stored.",
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  const what = field === "" ? "The request" : `The field ${field}`;
  throw new FunctionError(400, "invalid_request", `${what} is missing or not valid.`);
}
