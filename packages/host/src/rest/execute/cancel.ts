// Cancels the query of a client that has disconnected, over a connection of its own as the protocol requires.

import { connect } from "node:net";
import type { PoolClient } from "pg";

const cancelCode = 80_877_102;
const timeoutMs = 2000;

/**
 * Sends Postgres a cancel request for the statement that a connection is running. Resolves when Postgres has closed the
 * cancel connection, so that the request cannot hit a later statement; also resolves when the request could not be sent.
 */
export async function cancelRunning(client: PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as {
    host: string;
    port: number;
    processID: number;
    secretKey: number;
  };
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(cancelCode, 4);
  message.writeInt32BE(processID, 8);
  message.writeInt32BE(secretKey, 12);
  await new Promise<void>((resolve) => {
    const socket = host.startsWith("/")
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port });
    socket.setTimeout(timeoutMs, () => socket.destroy());
    socket.on("connect", () => socket.end(message));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve());
    socket.resume();
  });
}

/**
 * Cancels the statement that runs on `client` when `signal` is aborted.
 * @returns a function to call when the statement has ended; it resolves when no cancel request is pending.
 */
export function cancelOnAbort(
  client: PoolClient,
  signal: AbortSignal | undefined,
): () => Promise<void> {
  if (signal === undefined) return async () => await Promise.resolve();
  let cancelling: Promise<void> | undefined;
  const onAbort = () => {
    cancelling = cancelRunning(client);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return async () => {
    signal.removeEventListener("abort", onAbort);
    await cancelling;
  };
}
