import type { z } from "zod";
import type { HostContext } from "../context.ts";
import { InvalidToken, type Caller } from "../keys.ts";
import { fault } from "./errors.ts";

const LONGEST_JSON = 1024 ** 2;

/**
 * Who is calling.
 * @throws {StorageFault} AccessDenied without a good token or key.
 */
export async function requireCaller(context: HostContext, request: Request): Promise<Caller> {
  try {
    return await context.keys.resolveCaller(request);
  } catch (error) {
    if (error instanceof InvalidToken) throw fault.denied(error.message);
    throw error;
  }
}

/** Who is calling, or undefined when nobody proved to be anybody. */
export async function knownCaller(
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

async function readText(request: Request, limit: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) return Buffer.concat(chunks).toString("utf8");
    size += next.value.byteLength;
    if (size > limit) {
      await reader?.cancel();
      throw fault.tooLarge();
    }
    chunks.push(next.value);
  }
}

/**
 * The JSON body, checked.
 * @throws {StorageFault} InvalidRequest naming the first thing that is wrong.
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  shape: T,
): Promise<z.output<T>> {
  const text = await readText(request, LONGEST_JSON);
  let value: unknown;
  try {
    value = text === "" ? {} : JSON.parse(text);
  } catch {
    throw fault.invalidRequest("Body is not valid JSON");
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw fault.invalidRequest(`body/${issue?.path.join("/") ?? ""} ${issue?.message ?? "invalid"}`);
}
