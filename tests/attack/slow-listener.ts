import { WebSocket } from "ws";
import { sendFrame } from "./hostile-client.ts";
import { floodedTopic } from "./kinds/broadcast-flood.ts";
import type { AttackAccount } from "./attack-accounts.ts";

const everyMs = 500;
const readingMs = 100;
const heartbeatMs = 20_000;

/** A member with a slow connection, who reads only a fifth of the time and must stay connected. */
export class SlowListener {
  readonly #socket: WebSocket;
  readonly #timers: NodeJS.Timeout[];
  #joined = 0;
  #closedWith: number | undefined;

  constructor(url: string, anonKey: string, person: AttackAccount, room: string) {
    const address = url.replace(/^http/, "ws");
    const key = encodeURIComponent(anonKey);
    this.#socket = new WebSocket(`${address}/realtime/v1/websocket?vsn=1.0.0&apikey=${key}`);
    const socket = this.#socket;
    socket.on("error", () => undefined);
    socket.once("close", (code) => (this.#closedWith = code));
    socket.once("open", () => {
      sendFrame(socket, `realtime:room:${room}`, "phx_join", {
        config: { private: true, presence: { key: person.id }, broadcast: { self: false } },
        access_token: person.token,
      });
      sendFrame(socket, floodedTopic, "phx_join", { config: {}, access_token: person.token }, "2");
    });
    socket.on("message", (data) => {
      const text = (data as Buffer).toString();
      if (text.includes('"status":"ok"') && !text.includes('"phoenix"')) this.#joined += 1;
    });
    this.#timers = [
      setInterval(() => {
        socket.resume();
        setTimeout(() => socket.pause(), readingMs);
      }, everyMs),
      setInterval(() => sendFrame(socket, "phoenix", "heartbeat", {}), heartbeatMs),
    ];
  }

  /** Why the listener was lost; undefined while it is connected. */
  lost(): string | undefined {
    if (this.#closedWith !== undefined) return `slow listener: closed ${this.#closedWith}`;
    return this.#joined >= 2 ? undefined : "slow listener: never joined";
  }

  end(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#socket.terminate();
  }
}
