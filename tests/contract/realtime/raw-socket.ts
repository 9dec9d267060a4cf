import { randomUUID } from "node:crypto";
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

/** Sends a message and resolves with the reply to it. */
export async function ask(
  { push, frames }: RawSocket,
  topic: string,
  event: string,
  payload: unknown,
) {
  const ref = randomUUID();
  // With the reference of the join, so that it goes to the channel joined last.
  push(topic, event, payload, event === "phx_join" ? ref : "1");
  const before = frames.items.length;
  const find = () => frames.items.slice(before).find((frame) => frame[3] === "phx_reply");
  while (find() === undefined) await frames.until(frames.items.length + 1);
  return find()?.[4] as { status: string; response: { reason?: string; error?: string } };
}

/** The text of the system message that closed a channel. */
export async function lastWords({ frames }: RawSocket): Promise<string> {
  for (;;) {
    const system = frames.items.find((frame) => frame[3] === "system");
    if (system !== undefined) return (system[4] as { message: string }).message;
    await frames.until(frames.items.length + 1);
  }
}
