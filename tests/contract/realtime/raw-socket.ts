import { WebSocket } from "ws";
import { inject } from "vitest";
import type { RunningHost } from "../../support/running.ts";
import { Arrivals } from "./listeners.ts";

/** A socket that speaks protocol 2.0.0 by hand, for what the official client would never do. */
export interface RawSocket {
  socket: WebSocket;
  /** Text frames, parsed, and binary ones as they are. */
  frames: Arrivals<unknown[]>;
  /** The code the server closed with. */
  closed: Promise<number>;
  push: (topic: string, event: string, payload: unknown, ref?: string) => void;
}

export async function rawSocket(
  host: Pick<RunningHost, "url" | "anonKey"> = inject("host"),
  localAddress?: string,
): Promise<RawSocket> {
  const url = `${host.url.replace("http", "ws")}/realtime/v1/websocket?apikey=${host.anonKey}&vsn=2.0.0`;
  const socket = new WebSocket(url, localAddress === undefined ? {} : { localAddress });
  const frames = new Arrivals<unknown[]>();
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("message", (data: Buffer, isBinary) => {
    frames.add(isBinary ? [data] : (JSON.parse(data.toString("utf8")) as unknown[]));
  });
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    socket,
    frames,
    closed,
    push: (topic, event, payload, ref = "1") => {
      socket.send(JSON.stringify([ref, ref, topic, event, payload]));
    },
  };
}
