import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { HostContext } from "../context.ts";
import type { Broadcast, Hub, TopicName } from "./channels/hub.ts";
import type { Meta } from "./channels/presence.ts";
import type { RealtimeLimits } from "./limits.ts";

/** Marks what hosts write to the log for each other. */
export const RELAY_PREFIX = "host-realtime";

const name = z.object({ topic: z.string(), isPrivate: z.boolean() });
const note = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("broadcast"),
    name,
    event: z.string(),
    payload: z.string(),
    isBytes: z.boolean(),
  }),
  z.object({
    kind: z.literal("track"),
    name,
    holder: z.string(),
    key: z.string(),
    ref: z.string(),
    json: z.string(),
  }),
  z.object({ kind: z.literal("untrack"), name, holder: z.string() }),
  z.object({ kind: z.literal("hello") }),
  z.object({ kind: z.literal("alive") }),
  z.object({ kind: z.literal("bye") }),
]);
const letter = z.object({ from: z.string(), notes: z.array(note) });
type Note = z.infer<typeof note>;

/** Carries what happens on this host's topics to other hosts over the same database. */
export interface Relay {
  /** The log is being read from now on: what other hosts wrote before is asked for. */
  begin: () => void;
  broadcast: (name: TopicName, broadcast: Broadcast) => void;
  tracked: (name: TopicName, holder: string, key: string, meta: Meta) => void;
  untracked: (name: TopicName, holder: string) => void;
  /** Something a host, perhaps this one, wrote to the log. */
  receive: (content: Buffer) => void;
  /** Tells neighbours of this host, and lets go of those that have been silent for too long. */
  sweep: () => void;
  close: () => Promise<void>;
}

/** For a host that is alone over its database. */
export const NO_RELAY: Relay = {
  begin: () => undefined,
  broadcast: () => undefined,
  tracked: () => undefined,
  untracked: () => undefined,
  receive: () => undefined,
  sweep: () => undefined,
  close: async () => await Promise.resolve(),
};

/** Other hosts that are listened to at most; there are never more over one database. */
const MOST_NEIGHBOURS = 64;
/** What one letter carries at most, notes and bytes. */
const LETTER_NOTES = 100;
const LETTER_BYTES = 1024 * 1024;

/** Who is present on another host, and when it was last heard of. */
interface Neighbour {
  heardAt: number;
  present: Map<string, TopicName>;
}

/** Writes to the write-ahead log, which every host reads anyway: no table, and nothing to clean up. */
export class LogRelay implements Relay {
  readonly #context: HostContext;
  readonly #hub: Hub;
  readonly #id = randomUUID();
  readonly #neighbours = new Map<string, Neighbour>();
  readonly #limits: RealtimeLimits;
  #toldAt: number;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #sending: Promise<void> | undefined;

  constructor(context: HostContext, hub: Hub, limits: RealtimeLimits) {
    this.#context = context;
    this.#hub = hub;
    this.#limits = limits;
    this.#toldAt = context.now();
  }

  begin(): void {
    for (const [from, neighbour] of this.#neighbours) this.#bury(from, neighbour);
    this.#post({ kind: "hello" });
  }

  broadcast(topic: TopicName, { event, payload }: Broadcast): void {
    const isBytes = typeof payload !== "string";
    const text = isBytes ? payload.toString("base64") : payload;
    this.#post({ kind: "broadcast", name: topic, event, payload: text, isBytes });
  }

  tracked(topic: TopicName, holder: string, key: string, { ref, json }: Meta): void {
    this.#post({ kind: "track", name: topic, holder, key, ref, json });
  }

  untracked(topic: TopicName, holder: string): void {
    this.#post({ kind: "untrack", name: topic, holder });
  }

  receive(content: Buffer): void {
    const parsed = readLetter(content);
    if (parsed === undefined || parsed.from === this.#id) return;
    const { from, notes } = parsed;
    if (!this.#neighbours.has(from) && this.#neighbours.size >= MOST_NEIGHBOURS) return;
    const known = this.#neighbours.get(from);
    const neighbour = known ?? { heardAt: 0, present: new Map<string, TopicName>() };
    neighbour.heardAt = this.#context.now();
    this.#neighbours.set(from, neighbour);
    // A host that was taken for gone, or began before this one: whoever is present there is asked for.
    if (known === undefined && notes.every(({ kind }) => kind !== "bye"))
      this.#post({ kind: "hello" });
    for (const one of notes) this.#apply(from, neighbour, one);
  }

  sweep(): void {
    const now = this.#context.now();
    if (now - this.#toldAt >= this.#limits.aliveEveryMs) {
      this.#toldAt = now;
      this.#post({ kind: "alive" });
    }
    for (const [from, neighbour] of this.#neighbours) {
      if (now - neighbour.heardAt > this.#limits.goneMs) this.#bury(from, neighbour);
    }
  }

  async close(): Promise<void> {
    this.#post({ kind: "bye" });
    await this.#sending;
  }

  #apply(from: string, neighbour: Neighbour, one: Note): void {
    switch (one.kind) {
      case "broadcast":
        this.#hub.broadcast(one.name, {
          event: one.event,
          payload: one.isBytes ? Buffer.from(one.payload, "base64") : one.payload,
        });
        break;
      case "track":
        this.#track(neighbour, one);
        break;
      case "untrack":
        neighbour.present.delete(one.holder);
        this.#hub.untrack(one.name, one.holder);
        break;
      case "hello":
        this.#introduce();
        break;
      case "bye":
        this.#bury(from, neighbour);
        break;
      case "alive":
        break;
    }
  }

  /** What this host has no room for is not shown here; its own host has counted it. */
  #track(neighbour: Neighbour, one: Extract<Note, { kind: "track" }>): void {
    const { name: topic, holder, key, ref, json } = one;
    const tracked = this.#hub.track(topic, holder, key, { ref, json });
    if (tracked !== "full") neighbour.present.set(holder, topic);
  }

  /** Tells a newcomer who is present here. */
  #introduce(): void {
    const foreign = new Set(
      [...this.#neighbours.values()].flatMap(({ present }) => [...present.keys()]),
    );
    for (const { name: topic, holder, key, meta } of this.#hub.allPresences()) {
      if (!foreign.has(holder)) this.tracked(topic, holder, key, meta);
    }
  }

  #bury(from: string, neighbour: Neighbour): void {
    this.#neighbours.delete(from);
    for (const [holder, topic] of neighbour.present) this.#hub.untrack(topic, holder);
  }

  #post(one: Note): void {
    const json = JSON.stringify(one);
    const isEphemeral = one.kind === "broadcast";
    // A database that is slow to take letters must not fill the memory; presence is small and has limits of its own.
    if (isEphemeral && this.#waitingBytes + json.length > this.#limits.relayBytes) return;
    this.#waitingBytes += json.length;
    this.#waiting.push(json);
    // What is posted while a letter is on its way goes together into the next one.
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const notes = this.#nextLetter();
      try {
        await this.#context.db.background.query(
          "select pg_logical_emit_message(true, $1, $2::text)",
          [RELAY_PREFIX, `{"from":${JSON.stringify(this.#id)},"notes":[${notes.join(",")}]}`],
        );
      } catch (error) {
        this.#context.log.warn({ err: error }, "other hosts could not be told");
      }
    }
  }

  #nextLetter(): string[] {
    let bytes = 0;
    let count = 0;
    for (const json of this.#waiting.slice(0, LETTER_NOTES)) {
      if (count > 0 && bytes + json.length > LETTER_BYTES) break;
      bytes += json.length;
      count += 1;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, count);
  }
}

/** Undefined for what no host of this kind has written; it must not end the stream that everybody listens to. */
function readLetter(content: Buffer): z.infer<typeof letter> | undefined {
  try {
    return letter.safeParse(JSON.parse(content.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
