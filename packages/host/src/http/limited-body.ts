// Reads whole request bodies within a limit, for REST, auth, storage and functions alike.

/**
 * The body of a request unchanged, so that a signature over it can be verified; empty without one.
 * @param options.drainBytes How much of a longer body is still received, because many clients read the response only after
 * sending all of it; by default nothing.
 * @returns undefined when the body is larger than `maxBytes`.
 */
export async function readLimitedBody(
  request: Pick<Request, "arrayBuffer" | "body" | "headers">,
  maxBytes: number,
  { drainBytes = 0 }: { readonly drainBytes?: number } = {},
): Promise<Buffer | undefined> {
  const header = request.headers.get("content-length");
  const declared = header === null ? null : Number(header);
  if (declared !== null && declared > maxBytes + drainBytes) return undefined;
  // The HTTP parser enforces a declared length, so the bytes need not be counted.
  if (declared !== null && declared <= maxBytes) return Buffer.from(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    size += next.value.byteLength;
    if (size <= maxBytes) chunks.push(next.value);
    if (size > maxBytes + drainBytes) {
      await reader?.cancel();
      break;
    }
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}
