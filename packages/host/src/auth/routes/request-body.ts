import type { Context } from "hono";
import { z } from "zod";
import { AuthError, invalid } from "../auth-error.ts";

const LARGEST_BODY = 64 * 1024;
const DEEPEST_BODY = 32;

/** A text field; absent and null mean empty, as they do to the clients. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A field holding a JSON object of the caller's own; undefined when absent or null. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);

/** The two fields that start a PKCE flow. */
export const challengeFields = { code_challenge: text, code_challenge_method: text };

async function readLimited(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new AuthError(
      413,
      "request_entity_too_large",
      `Request body too large (max ${LARGEST_BODY} bytes)`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_BODY) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function badJson(reason: string): AuthError {
  return new AuthError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

function assertTextStorable(value: string): void {
  if (value.includes("\0") || !value.isWellFormed()) {
    throw invalid("Text must not contain NUL characters or broken Unicode");
  }
}

/** Refuses what Postgres cannot keep in text or jsonb, wherever in the body it hides. */
function assertStorable(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string") assertTextStorable(value);
    if (typeof value !== "object" || value === null) continue;
    if (depth >= DEEPEST_BODY) throw badJson("it is nested too deeply");
    for (const [name, inner] of Object.entries(value)) {
      assertTextStorable(name);
      open.push({ value: inner, depth: depth + 1 });
    }
  }
}

/**
 * Reads the JSON body of a request into the shape of `schema`; an empty body counts as `{}` when `optional`.
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
