import type {
  DatabaseClient,
  ProcedureArgs,
  ProcedureResult,
} from "../database/database-client.ts";
import { secretKey } from "../api-keys.ts";
import type { Deps } from "../deps.ts";
import { FunctionError } from "./responses.ts";

/** The address of the caller as the platform wrote it; of IPv6 the network, of which a visitor may have every address. */
function visitorAddress(request: Request): string {
  const address = (request.headers.get("x-forwarded-for") ?? "").split(",")[0]?.trim() ?? "";
  return address.includes(":") ? networkOf(address) : address;
}

/** The /64 of an IPv6 address, however it is written; the whole of one that holds an IPv4 address, or is none. */
function networkOf(address: string): string {
  const url = `http://[${address.split("%")[0]}]`;
  if (!URL.canParse(url)) return address;
  // The shortest way to write it, in lower case.
  const shortest = new URL(url).hostname.slice(1, -1);
  if (shortest.startsWith("::ffff:")) return shortest;
  const [head = "", tail] = shortest.split("::");
  const groups = (part: string) => part.split(":").filter((group) => group !== "");
  const [left, right] = [groups(head), groups(tail ?? "")];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).join(":");
}

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * A name for the visitor that nobody without the server's key can turn back into an address, and that is another one
 * tomorrow.
 */
export async function visitorName(request: Request, deps: Deps): Promise<string> {
  const text = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const raw = text.encode(secretKey(deps));
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["sign"]);
  const today = new Date().toISOString().slice(0, 10);
  const message = text.encode(`${today} ${visitorAddress(request)}`);
  return hex(await crypto.subtle.sign("HMAC", key, message));
}

/**
 * Calls a procedure that counts its uses by a visitor.
 * @param message says what there were too many of.
 * @throws {FunctionError} 429 too_many_requests with the seconds to wait.
 */
export async function callForVisitor<
  Name extends "verify_certificate" | "shared_card" | "record_affiliate_visit",
>(
  service: DatabaseClient,
  procedure: Name,
  args: ProcedureArgs<Name>,
  message: string,
): Promise<ProcedureResult<Name>> {
  const { data, error } = await service.rpc(procedure, args);
  if (error === null) return data;
  if (error.code !== "FF300") throw new Error(procedure, { cause: error });
  const wait = Number(error.details);
  throw new FunctionError(429, "too_many_requests", message, {
    retryAfterS: Number.isInteger(wait) && wait > 0 ? wait : 60,
  });
}

/**
 * Asks what the owner of a public code has published, on behalf of a visitor. Null for an unknown code.
 * @throws {FunctionError} 429 too_many_requests with the seconds to wait.
 */
export async function readPublicCode(
  service: DatabaseClient,
  procedure: "verify_certificate" | "shared_card",
  code: string,
  visitor: string,
): Promise<unknown> {
  const message = "You have looked up too many. Please wait a minute and try again.";
  return await callForVisitor(service, procedure, { code, visitor }, message);
}
