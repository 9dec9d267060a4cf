import { connect, type Socket } from "node:net";
import type { RunningHost } from "../../support/running.ts";

/** Opens a socket by hand, for frames that never end. */
export async function openBareSocket({
  url,
  anonKey,
}: Pick<RunningHost, "url" | "anonKey">): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `GET /realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n` +
      "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  await new Promise((resolve) => socket.once("data", resolve));
  return socket;
}

/** The head of a masked text frame of so many bytes. */
export function headOf(bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head.set([0x81, 0x80 | 127]);
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}

/** Resolves when the server has ended the socket. */
export async function ended(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => socket.once("close", () => resolve()));
}
