// Asks a provider for JSON, within limits of time and size.

import { readLimitedBody } from "../../http/limited-body.ts";

const timeoutMs = 8000;
const maxAnswerBytes = 128 * 1024;

/** A provider did not respond, or its response was not usable. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  /** The status of its answer; undefined without one. */
  readonly status: number | undefined;

  constructor(reason: string, status?: number, cause?: unknown) {
    super(reason, { cause });
    this.status = status;
  }
}

/**
 * Reads JSON from an address of a provider. Redirects are not followed.
 * @throws {ProviderFailure} for no answer in time, another status than 200, more than 128 KiB, or no JSON object.
 */
export async function fetchProviderJson(
  url: string,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  let response: Response;
  let bytes: Uint8Array | undefined;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    response = await fetch(url, { ...init, redirect: "error", signal });
    // Without its headers: the length they tell is that of the packed answer.
    bytes = await readLimitedBody(new Response(response.body), maxAnswerBytes);
  } catch (error) {
    throw new ProviderFailure("no answer", undefined, error);
  }
  if (response.status !== 200) throw new ProviderFailure("it refused", response.status);
  if (bytes === undefined) throw new ProviderFailure("its answer is too long");
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Said below.
  }
  throw new ProviderFailure("its answer is no JSON object");
}
