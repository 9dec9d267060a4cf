// Guards against slow senders (slowloris): but for files, a request takes a slot only once its body has arrived.

import type { LimitedService } from "./limits.ts";

/** Bytes received before a request takes a slot; 0 leaves the body to the service. */
const maxReceivedBytes: Readonly<Record<LimitedService, number>> = {
  auth: 64 * 1024,
  rest: 1024 ** 2,
  functions: 6 * 1024 ** 2,
  // Files are written to disk as they arrive; uploads have slots of their own.
  storage: 0,
};

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** A stream of the chunks already received, followed by the rest. */
function resumed(chunks: readonly Uint8Array[], reader: Reader): ReadableStream<Uint8Array> {
  const received = [...chunks];
  return new ReadableStream({
    pull: async (controller) => {
      const first = received.shift();
      const next = first === undefined ? await reader.read() : { done: false, value: first };
      if (next.value === undefined) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async (reason) => await reader.cancel(reason),
  });
}

/** False for requests that never have a body; asking one for it makes a whole `Request` of it, a tenth of a read's time. */
export function mayHaveBody({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD";
}

function withBody(request: Request, body: BodyInit): Request {
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/**
 * Receives the body of a request up to the maximum of its service, so that a slow client holds no slot meanwhile.
 * A longer body continues as a stream, which the service rejects. `http/connection-limiter.ts` bounds the buffered bytes.
 * @returns the request with its body, or undefined when the body did not arrive within `deadlineMs` or the client disconnected
 */
export async function receiveBody(
  request: Request,
  service: LimitedService,
  deadlineMs: number | undefined,
): Promise<Request | undefined> {
  const maxBytes = maxReceivedBytes[service];
  if (maxBytes === 0 || !mayHaveBody(request) || request.body === null) return request;
  const reader = request.body.getReader() as Reader;
  const chunks: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    if (deadlineMs !== undefined) timer = setTimeout(() => resolve(undefined), deadlineMs);
  });
  try {
    for (let size = 0; size <= maxBytes;) {
      const next = await Promise.race([reader.read().catch(() => undefined), timeout]);
      if (next === undefined) return undefined;
      if (next.done) return withBody(request, Buffer.concat(chunks));
      size += next.value.byteLength;
      chunks.push(next.value);
    }
    return withBody(request, resumed(chunks, reader));
  } finally {
    clearTimeout(timer);
  }
}
