// Settings that a transaction begins with, as in PostgREST: search path, role, `request.jwt.claims` and headers.

import type { SchemaCache, Routine } from "../schema-cache/model.ts";
import type { Caller } from "../../keys.ts";
import { quoteName } from "../sql/values.ts";
import type { RestSettings } from "../settings.ts";

/** What functions and policies can read about a request. */
export interface RequestInfo {
  method: string;
  path: string;
  headers: Headers;
  schema: string;
  timezone: string | undefined;
}

const claimTexts = new WeakMap<object, string>();

/** The claims as JSON, cached per token. */
function claimsText(caller: Caller): string {
  const known = claimTexts.get(caller.claims);
  if (known !== undefined) return known;
  const text = JSON.stringify({ ...caller.claims, role: caller.role });
  claimTexts.set(caller.claims, text);
  return text;
}

/** JSON of the headers and of the cookies, for `request.headers` and `request.cookies`. */
function headerTexts(headers: Headers): { headers: string; cookies: string } {
  const all: Record<string, string> = {};
  const cookies: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name !== "cookie") {
      all[name] = value;
      continue;
    }
    for (const part of value.split(";")) {
      const at = part.indexOf("=");
      if (at > 0) cookies[part.slice(0, at).trim()] = part.slice(at + 1).trim();
    }
  }
  return { headers: JSON.stringify(all), cookies: JSON.stringify(cookies) };
}

/** The settings of a transaction, in the order they are set: those of the role come before the role itself. */
export function transactionSettings(
  caller: Caller,
  info: RequestInfo,
  schemaCache: SchemaCache,
  settings: RestSettings,
  routine: Routine | undefined,
): (readonly [string, string])[] {
  const path = [...new Set([info.schema, ...settings.extraSearchPath])].map(quoteName).join(", ");
  const { headers, cookies } = headerTexts(info.headers);
  const timeout = routine?.statementTimeout;
  return [
    ["search_path", path],
    ...(schemaCache.roles.get(caller.role)?.settings ?? []),
    ["role", caller.role],
    ["request.jwt.claims", claimsText(caller)],
    ["request.method", info.method],
    ["request.path", info.path],
    ["request.headers", headers],
    ["request.cookies", cookies],
    ...(info.timezone === undefined ? [] : [["timezone", info.timezone] as const]),
    ...(timeout === undefined ? [] : [["statement_timeout", timeout] as const]),
  ];
}
