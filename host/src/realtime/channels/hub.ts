import { encodeBroadcast, encodeFrame, type Frame, type ProtocolVersion } from "../frames.ts";
import { diffJson, PresenceState, type Meta, type PresenceDiff } from "./presence.ts";

/** One broadcast on its way to the members of a topic. */
export interface Broadcast {
  event: string;
  /** JSON text, or bytes that only clients of 2.0.0 can receive. */
  payload: string | Buffer;
  /** JSON the client finds under `meta`; none when undefined. */
  meta?: string;
}

/** Names a topic together with whether it is private: `secret` is another channel when it is public. */
export interface TopicName {
  topic: string;
  isPrivate: boolean;
}

/** A joined channel, as the hub sees it. */
export interface Member {
  /** Topic as clients write it, with `realtime:` before it. */
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  readonly hearsBroadcasts: boolean;
  readonly hearsPresence: boolean;
  send: (frame: Frame) => void;
}

interface Topic {
  members: Set<Member>;
  presence: PresenceState;
}

/** Frame of a broadcast for one protocol version; undefined where that version cannot carry it. */
function broadcastFrame(
  version: ProtocolVersion,
  fullTopic: string,
  { event, payload, meta }: Broadcast,
): Frame | undefined {
  const isText = typeof payload === "string";
  if (version === "2.0.0" && meta === undefined) {
    const bytes = isText ? Buffer.from(payload) : payload;
    const frame = encodeBroadcast(fullTopic, { event, isJson: isText, payload: bytes });
    if (frame !== undefined) return frame;
  }
  if (!isText) return undefined;
  const name = JSON.stringify(event);
  const rest = meta === undefined ? "" : `,"meta":${meta}`;
  const json = `{"type":"broadcast","event":${name},"payload":${payload}${rest}}`;
  const message = { joinRef: null, ref: null, topic: fullTopic, event: "broadcast" };
  return encodeFrame(version, message, json);
}

/** The topics of this process: who has joined them, and who is present there. */
export class Hub {
  readonly #topics = new Map<string, Topic>();

  join(name: TopicName, member: Member): void {
    this.#open(name).members.add(member);
  }

  leave(name: TopicName, member: Member): void {
    this.#topics.get(keyOf(name))?.members.delete(member);
    this.#tidy(name);
  }

  /** Sends to everybody who listens, except the one given; a frame is built once a version. */
  broadcast(name: TopicName, broadcast: Broadcast, except?: Member): void {
    const frames = new Map<ProtocolVersion, Frame | undefined>();
    for (const member of this.#topics.get(keyOf(name))?.members ?? []) {
      if (member === except || !member.hearsBroadcasts) continue;
      const { version, fullTopic } = member;
      if (!frames.has(version)) frames.set(version, broadcastFrame(version, fullTopic, broadcast));
      const frame = frames.get(version);
      if (frame !== undefined) member.send(frame);
    }
  }

  /** @returns false when the holder has already tracked exactly this */
  track(name: TopicName, holder: string, key: string, meta: Meta): boolean {
    const diff = this.#open(name).presence.track(holder, key, meta);
    if (diff !== undefined) this.#announce(name, diff);
    return diff !== undefined;
  }

  untrack(name: TopicName, holder: string): boolean {
    const diff = this.#topics.get(keyOf(name))?.presence.untrack(holder);
    if (diff !== undefined) this.#announce(name, diff);
    this.#tidy(name);
    return diff !== undefined;
  }

  presenceJson(name: TopicName): string {
    return this.#topics.get(keyOf(name))?.presence.toJson() ?? "{}";
  }

  /** Everything tracked anywhere, for another host that asks. */
  allPresences(): { name: TopicName; holder: string; key: string; meta: Meta }[] {
    return [...this.#topics].flatMap(([key, { presence }]) =>
      presence.entries().map((entry) => ({ name: nameOf(key), ...entry })),
    );
  }

  #announce(name: TopicName, diff: PresenceDiff): void {
    const json = diffJson(diff);
    const frames = new Map<ProtocolVersion, Frame>();
    for (const member of this.#topics.get(keyOf(name))?.members ?? []) {
      if (!member.hearsPresence) continue;
      const { version, fullTopic: topic } = member;
      const message = { joinRef: null, ref: null, topic, event: "presence_diff" };
      const frame = frames.get(version) ?? encodeFrame(version, message, json);
      frames.set(version, frame);
      member.send(frame);
    }
  }

  #open(name: TopicName): Topic {
    const key = keyOf(name);
    const topic = this.#topics.get(key) ?? { members: new Set(), presence: new PresenceState() };
    this.#topics.set(key, topic);
    return topic;
  }

  #tidy(name: TopicName): void {
    const topic = this.#topics.get(keyOf(name));
    if (topic?.members.size === 0 && topic.presence.isEmpty) this.#topics.delete(keyOf(name));
  }
}

function keyOf({ topic, isPrivate }: TopicName): string {
  return (isPrivate ? "private:" : "public:") + topic;
}

function nameOf(key: string): TopicName {
  const at = key.indexOf(":");
  return { topic: key.slice(at + 1), isPrivate: key.startsWith("private:") };
}
