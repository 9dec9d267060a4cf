// TCP client for tests of malformed, slow and reset HTTP connections.

import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A TCP connection that can do what no proper HTTP client would. */
export interface RawClient {
  socket: Socket;
  send: (text: string | Buffer) => void;
  /** Everything received so far, as Latin-1. */
  received: () => string;
  /** Resolves once something has come, or the other side has closed. */
  answered: Promise<void>;
  closed: Promise<void>;
  /** Ends the connection with a TCP reset instead of a farewell. */
  reset: () => Promise<void>;
}

/** Connects to the address of `url`, from `localAddress` where given. */
export async function openRaw(url: string, localAddress?: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  // What happens to our own end is read from `received` and `closed`.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  let text = "";
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      resolve();
    });
    void closed.then(resolve);
  });
  await Promise.race([once(socket, "connect"), closed]);
  return {
    socket,
    send: (data) => void socket.write(data),
    received: () => text,
    answered,
    closed,
    reset: async () => {
      socket.resetAndDestroy();
      await closed;
    },
  };
}

/** The status of the one answer that a raw request gets; undefined when the connection closes without one. */
export async function rawStatus(url: string, request: string): Promise<number | undefined> {
  const client = await openRaw(url);
  client.send(request);
  await client.answered;
  client.socket.destroy();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(client.received())?.[1];
  return status === undefined ? undefined : Number(status);
}
