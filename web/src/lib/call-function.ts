import { FunctionsHttpError } from "@supabase/supabase-js";
import type { BackendClient } from "@/lib/backend-client.ts";

/** What a serverless function said. `status` is 0 when no answer came at all. */
export interface FunctionResponse {
  readonly status: number;
  /** The parsed JSON object; empty when there was none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Calls a function with the member's token. Never throws: no answer is status 0. */
export async function callFunction(
  client: BackendClient,
  name: string,
  body: Record<string, unknown>,
): Promise<FunctionResponse> {
  const { data, error } = await client.functions.invoke<unknown>(name, { body });
  if (!error) return { status: 200, body: asObject(data) };
  if (error instanceof FunctionsHttpError && error.context instanceof Response) {
    const answer: unknown = await error.context.json().catch(() => null);
    return { status: error.context.status, body: asObject(answer) };
  }
  return { status: 0, body: {} };
}

/** The text under this key, empty when there is none. */
export function textOf(body: FunctionResponse["body"], key: string): string {
  const value = body[key];
  return typeof value === "string" ? value : "";
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
