import type { z } from "zod";
import { FunctionError } from "./responses.ts";

/** Far more than any of these functions is honestly sent. */
const maxBodyLength = 10_000;

/**
 * The JSON body in the shape of `schema`.
 * @param whenEmpty what an empty body stands for; without it an empty body is refused.
 * @throws {Refusal} 400 invalid_request, naming the first field that is wrong, or 413 request_too_large.
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
  // The database keeps every character but this one.
  let holdsNul = false;
  try {
    body = JSON.parse(text, (_name, value: unknown) => {
      holdsNul ||= typeof value === "string" && value.includes("\0");
      return value;
    });
  } catch {
    throw new FunctionError(400, "invalid_request", "The request is not valid JSON.");
  }
  if (holdsNul) {
    throw new FunctionError(
      400,
      "invalid_request",
      "The request holds a character that cannot be kept.",
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join(".") ?? "";
  const what = field === "" ? "The request" : `The field ${field}`;
  throw new FunctionError(400, "invalid_request", `${what} is missing or not valid.`);
}
