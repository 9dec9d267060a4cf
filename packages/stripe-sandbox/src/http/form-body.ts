import { invalidRequest, StripeApiError } from "../api-errors.ts";

const maxBodyBytes = 1024 * 1024;
/** How much of a too large body is read, so that the client can receive the error. */
const maxDrainedBytes = 16 * maxBodyBytes;

/**
 * The parameters of a call as form text, from query and body.
 * @throws {StripeApiError} 413 for too large a body, 400 for another content type.
 */
export async function readFormBody(request: Request): Promise<string> {
  const query = new URL(request.url).search.slice(1);
  if (request.method === "GET") return query;
  const body = await readText(request);
  const type = request.headers.get("content-type") ?? "";
  if (body !== "" && !type.startsWith("application/x-www-form-urlencoded")) {
    throw invalidRequest(
      "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.",
    );
  }
  return [query, body].filter((part) => part !== "").join("&");
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body === null) return "";
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= maxBodyBytes) chunks.push(chunk);
    if (size > maxDrainedBytes) break;
  }
  if (size > maxBodyBytes) {
    const message = "The request is too large.";
    throw new StripeApiError(413, { type: "invalid_request_error", message });
  }
  return Buffer.concat(chunks).toString("utf8");
}
