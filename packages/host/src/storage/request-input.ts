// Finds the caller of a storage request and parses its JSON body, with the storage API's own errors.

import type { z } from "zod";
import type { HostContext } from "../context.ts";
import { readLimitedBody } from "../http/limited-body.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { storageErrors } from "./storage-errors.ts";

const maxJsonBytes = 1024 ** 2;

/** True for a request with neither a token nor a key. */
function isUnsigned(request: Request): boolean {
  return (
    !request.headers.has("authorization") &&
    !request.headers.has("apikey") &&
    !new URL(request.url).searchParams.has("apikey")
  );
}

/**
 * The caller of a request.
 * @throws {StorageError} AccessDenied without a good token or key, InvalidRequest with none at all.
 */
export async function requireCaller(context: HostContext, request: Request): Promise<Caller> {
  if (isUnsigned(request)) throw storageErrors.noAuthorization();
  try {
    return await context.keys.resolveCaller(request);
  } catch (error) {
    if (error instanceof InvalidToken) throw storageErrors.denied(error.message);
    throw error;
  }
}

/** The caller of a request, or undefined without a valid token or key. */
export async function optionalCaller(
  context: HostContext,
  request: Request,
): Promise<Caller | undefined> {
  try {
    return await context.keys.resolveCaller(request);
  } catch (error) {
    if (error instanceof InvalidToken) return undefined;
    throw error;
  }
}

/**
 * The JSON body, checked.
 * @throws {StorageError} InvalidRequest naming the first thing that is wrong.
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  shape: T,
): Promise<z.output<T>> {
  const bytes = await readLimitedBody(request, maxJsonBytes);
  if (bytes === undefined) throw storageErrors.tooLarge();
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw storageErrors.invalidRequest("Body is not valid JSON");
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw storageErrors.invalidRequest(
    `body/${issue?.path.join("/") ?? ""} ${issue?.message ?? "invalid"}`,
  );
}
