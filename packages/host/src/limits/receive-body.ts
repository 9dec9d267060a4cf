import type { LimitedService } from "./limits.ts";

/** Bytes received before a request takes its turn; 0 leaves the body to the service. */
const mostBytes: Readonly<Record<LimitedService, number>> = {
  auth: 64 * 1024,
  rest: 1024 ** 2,
  functions: 6 * 1024 ** 2,
  // Files go to the disk as they come; their requests have turns of their own.
  storage: 0,
};

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** What was received, then what is still to come. */
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

function withBody(request: Request, body: BodyInit): Request {
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body, duplex: "half" } as RequestInit);
}

/**
 * Receives the body of a request up to what its service takes, so that a slow client holds no turn meanwhile.
 * What is longer goes on as a stream, for the service to refuse. `http/connections.ts` bounds what is held.
 * @returns the request with its body, or undefined when it did not come within `deadlineMs` or its client has gone
 */
export async function receiveBody(
  request: Request,
  service: LimitedService,
  deadlineMs: number | undefined,
): Promise<Request | undefined> {
  const most = mostBytes[service];
  if (request.body === null || most === 0) return request;
  const reader = request.body.getReader() as Reader;
  const chunks: Uint8Array[] = [];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    if (deadlineMs !== undefined) timer = setTimeout(() => resolve(undefined), deadlineMs);
  });
  try {
    for (let size = 0; size <= most;) {
      const next = await Promise.race([reader.read().catch(() => undefined), late]);
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
