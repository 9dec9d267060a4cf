// Reads the JSON bodies of auth requests within limits of size and depth, and validates them with zod.

import type { Context } from "hono";
import { z } from "zod";
import { readLimitedBody } from "../../http/limited-body.ts";
import { AuthError, validationFailed } from "../auth-error.ts";

const maxBodyBytes = 64 * 1024;
const maxBodyDepth = 32;

/** A text field; missing and null count as empty, as in the clients. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A field with an arbitrary JSON object; undefined when missing or null. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);

/** Request fields that start a PKCE flow. */
export const challengeFields = {
  code_challenge: optionalText,
  code_challenge_method: optionalText,
};

async function readLimited(request: Request): Promise<Uint8Array> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (bytes !== undefined) return bytes;
  const message = `Request body too large (max ${maxBodyBytes} bytes)`;
  throw new AuthError(413, "request_entity_too_large", message);
}

function badJson(reason: string): AuthError {
  return new AuthError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

function assertTextStorable(value: string): void {
  if (value.includes("\0") || !value.isWellFormed()) {
    throw validationFailed("Text must not contain NUL characters or broken Unicode");
  }
}

/** Rejects text that Postgres cannot store in text or jsonb, anywhere in the body. */
function assertStorable(root: unknown): void {
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") assertTextStorable(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth >= maxBodyDepth) throw badJson("it is nested too deeply");
    for (const [name, inner] of Object.entries(value)) {
      assertTextStorable(name);
      stack.push({ value: inner, depth: depth + 1 });
    }
  }
}

/**
 * Reads and validates the JSON body of a request; an empty body counts as `{}` when `optional`.
 * @throws {AuthError} 400 bad_json, 400 validation_failed or 413.
 */
export async function readBody<T>(
  c: Context,
  schema: z.ZodType<T>,
  optional: "required" | "optional" = "required",
): Promise<T> {
  const bytes = await readLimited(c.req.raw).catch((error: unknown) => {
    if (error instanceof AuthError) throw error;
    throw badJson("it did not arrive whole");
  });
  let value: unknown;
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = content.trim() === "" && optional === "optional" ? {} : JSON.parse(content);
  } catch {
    throw badJson("it is not valid JSON");
  }
  assertStorable(value);
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw badJson(`${issue?.path.join(".") || "body"}: ${issue?.message ?? "wrong type"}`);
}
