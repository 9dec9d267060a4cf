import { Agent, request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { openRaw, type RawClient } from "basehost/testing";
import type { AttackTarget } from "./attack-target.ts";
import type { AttackAccount } from "./attack-accounts.ts";

const answerTimeoutMs = 15_000;
/** Attempts of one client that may be pending at a time. */
const mostWaiting = 32;

/** Number of attempts by their result: an HTTP status or an error of the connection. */
export type Tally = Record<string, number>;

/** A file, and the type that it claims. */
export interface HostileFile {
  bytes: Buffer;
  type: string;
}

/** One attacker with its own address, an account and counters. */
export class HostileClient {
  readonly index: number;
  readonly address: string;
  readonly field: AttackTarget;
  readonly tally: Tally = {};
  attempts = 0;
  readonly #endsAt: number;
  readonly #agent: Agent;
  readonly #sockets = new Set<WebSocket | RawClient>();

  constructor(options: { index: number; address: string; field: AttackTarget; endsAt: number }) {
    this.index = options.index;
    this.address = options.address;
    this.field = options.field;
    this.#endsAt = options.endsAt;
    this.#agent = new Agent({ keepAlive: true, maxSockets: mostWaiting });
  }

  get unpaid(): AttackAccount {
    return this.#own(this.field.unpaid);
  }

  get member(): AttackAccount {
    return this.#own(this.field.members);
  }

  get mentor(): AttackAccount {
    return this.#own(this.field.mentors);
  }

  #own(people: readonly AttackAccount[]): AttackAccount {
    const person = people[this.index % people.length];
    if (person === undefined) throw new Error("this kind of attack needs accounts");
    return person;
  }

  isOver(): boolean {
    return Date.now() >= this.#endsAt;
  }

  count(outcome: string): void {
    this.tally[outcome] = (this.tally[outcome] ?? 0) + 1;
  }

  /** Makes attempts at a steady rate until the end, with at most `mostWaiting` pending at a time. */
  async pace(perSecond: number, attempt: (turn: number) => Promise<unknown>): Promise<void> {
    const everyMs = 1000 / perSecond;
    const startedAt = Date.now();
    const waiting = new Set<Promise<unknown>>();
    for (let turn = 0; !this.isOver(); turn += 1) {
      const aheadMs = startedAt + turn * everyMs - Date.now();
      if (aheadMs > 0) await sleep(aheadMs);
      if (this.isOver()) break;
      if (waiting.size >= mostWaiting) await Promise.race(waiting);
      this.attempts += 1;
      const going = attempt(turn)
        .catch((error: unknown) => this.count(error instanceof Error ? error.message : "error"))
        .finally(() => waiting.delete(going));
      waiting.add(going);
    }
    await Promise.race([Promise.allSettled(waiting), sleep(1000)]);
    for (const _ of waiting) this.count("unanswered at the end");
  }

  /** Sends a request, discards the body of the response and counts its status. */
  async request(
    method: string,
    path: string,
    options: { person?: AttackAccount; body?: unknown; file?: HostileFile } = {},
  ): Promise<number | undefined> {
    const { file } = options;
    const body = options.body === undefined ? file?.bytes : JSON.stringify(options.body);
    const headers: Record<string, string> = {
      apikey: this.field.anonKey,
      ...(options.person ? { authorization: `Bearer ${options.person.token}` } : {}),
      ...(body === undefined
        ? {}
        : {
            "content-type": file?.type ?? "application/json",
            "content-length": `${Buffer.byteLength(body)}`,
          }),
    };
    const status = await new Promise<number | string>((resolve) => {
      const going = httpRequest(
        `${this.field.url}${path}`,
        {
          method,
          headers,
          agent: this.#agent,
          localAddress: this.address,
          timeout: answerTimeoutMs,
        },
        (answer) => {
          answer.resume();
          answer.once("close", () =>
            resolve(answer.complete ? (answer.statusCode ?? 0) : "cut off"),
          );
        },
      );
      going.once("timeout", () => going.destroy(new Error("no answer")));
      going.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      going.end(body);
    });
    this.count(String(status));
    return typeof status === "number" ? status : undefined;
  }

  /** Opens a TCP connection. Connections still open at the end are reset. */
  async connect(): Promise<RawClient> {
    const raw = await openRaw(this.field.url, this.address);
    this.#sockets.add(raw);
    void raw.closed.then(() => this.#sockets.delete(raw));
    return raw;
  }

  /** Opens a realtime socket. Counts a refusal and returns undefined. */
  async openSocket(): Promise<WebSocket | undefined> {
    const address = this.field.url.replace(/^http/, "ws");
    const socket = new WebSocket(
      `${address}/realtime/v1/websocket?vsn=1.0.0&apikey=${encodeURIComponent(this.field.anonKey)}`,
      { localAddress: this.address, perMessageDeflate: false, handshakeTimeout: answerTimeoutMs },
    );
    this.#sockets.add(socket);
    socket.on("close", (code) => {
      this.#sockets.delete(socket);
      if (!this.isOver()) this.count(`closed ${code}`);
    });
    return await new Promise((resolve) => {
      socket.once("open", () => {
        this.count("socket open");
        resolve(socket);
      });
      socket.once("unexpected-response", (_request, answer) => {
        this.count(`socket ${answer.statusCode}`);
        socket.terminate();
        resolve(undefined);
      });
      socket.on("error", (error: NodeJS.ErrnoException) => {
        this.count(error.code ?? "socket error");
        resolve(undefined);
      });
    });
  }

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#sockets) {
      if (socket instanceof WebSocket) socket.terminate();
      else void socket.reset();
    }
  }
}

/** Sends a frame of the socket protocol, version 1; false when the socket is not open. */
export function sendFrame(
  socket: WebSocket,
  topic: string,
  event: string,
  payload: unknown,
  ref = "1",
): boolean {
  return sendText(socket, frameText(topic, event, payload, ref));
}

/** The text of a frame, for senders that reuse a large one. */
export function frameText(topic: string, event: string, payload: unknown, ref = "1"): string {
  return JSON.stringify({ topic, event, payload, ref, join_ref: "1" });
}

/** Sends text as it is; false when the socket is not open. */
export function sendText(socket: WebSocket, text: string): boolean {
  if (socket.readyState !== WebSocket.OPEN) return false;
  socket.send(text);
  return true;
}
