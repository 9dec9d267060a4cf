import { once } from "node:events";
import { connect } from "node:net";

/** One keep-alive connection that repeats the same request. */
export interface PlainHttp {
  /** Sends the request and resolves with the complete response. Rejects unless its status is 200. */
  ask: () => Promise<void>;
  close: () => void;
}

const headEndMarker = "\r\n\r\n";

/**
 * A minimal HTTP client, to compare with the bare database driver, so that a figure contains the time of
 * the host and not of a client library. Responses need a content-length.
 */
export async function openPlainHttp(
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<PlainHttp> {
  const url = new URL(address);
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  socket.setEncoding("latin1");
  await once(socket, "connect");
  const lines = Object.entries({ host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const question = [`GET ${url.pathname}${url.search} HTTP/1.1`, ...lines, "", ""].join("\r\n");
  let received = "";
  let answer = Promise.withResolvers<void>();
  socket.on("error", (error) => answer.reject(error));
  socket.on("data", (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf(headEndMarker);
    if (headEnd < 0) return;
    const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd))?.[1];
    if (length === undefined)
      answer.reject(new Error(`an answer without its length: ${received.slice(0, headEnd)}`));
    if (received.length < headEnd + headEndMarker.length + Number(length)) return;
    const status = received.slice(9, 12);
    received = "";
    if (status === "200") answer.resolve();
    else answer.reject(new Error(`status ${status}`));
  });
  return {
    ask: async () => {
      answer = Promise.withResolvers<void>();
      socket.write(question);
      await answer.promise;
    },
    close: () => socket.destroy(),
  };
}
