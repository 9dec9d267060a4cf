// Encodes and decodes the messages of the Phoenix protocol that supabase-js speaks, in both of its versions.

import { Sender } from "ws";
import { maxTopicLength } from "../limits/realtime-limits.ts";

/** Serialisers of the socket protocol: objects (1.0.0) or arrays and binary broadcasts (2.0.0). */
export type ProtocolVersion = "1.0.0" | "2.0.0";

/** One message of the socket protocol. */
export interface SocketMessage {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: Readonly<Record<string, unknown>>;
  /** The content of a binary broadcast, not decoded. */
  binary?: UserBroadcast;
}

/** A broadcast whose payload is forwarded as bytes. */
export interface UserBroadcast {
  event: string;
  isJson: boolean;
  payload: Buffer;
  /** JSON with options for the server, such as `persist`; empty for none. */
  metadata: string;
}

/** A frame that cannot be decoded. The socket that sent it is closed. */
export class MalformedFrameError extends Error {
  override readonly name = "MalformedFrame";
}

/** A frame to write. It is encoded once and shared by all sockets. */
export interface Frame {
  /** The message with its header of RFC 6455. */
  bytes: Buffer;
}

/** Close codes of RFC 6455. */
export const closeCodes = { going: 1001, malformed: 1007, policy: 1008, failed: 1011 } as const;

const userBroadcastPushKind = 3;
const userBroadcastKind = 4;
const maxFieldBytes = 255;
/** Opcodes of RFC 6455. */
const opcodes = { text: 1, binary: 2 } as const;

function buildFrame(opcode: number, payload: Buffer): Frame {
  // An unfragmented, uncompressed frame; servers do not mask.
  const parts = Sender.frame(payload, {
    opcode,
    fin: true,
    rsv1: false,
    mask: false,
    readOnly: true,
  });
  return { bytes: Buffer.concat(parts) };
}

function textOrNull(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" ? String(value) : null;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function decodeText(text: string, version: ProtocolVersion): SocketMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new MalformedFrameError("A frame is not JSON.");
  }
  const fields =
    version === "2.0.0" && Array.isArray(value)
      ? { join_ref: value[0], ref: value[1], topic: value[2], event: value[3], payload: value[4] }
      : asRecord(value);
  const { topic, event } = fields;
  if (typeof topic !== "string" || typeof event !== "string") {
    throw new MalformedFrameError("A frame has no topic or no event.");
  }
  if (topic.length > maxTopicLength) throw new MalformedFrameError("A topic is too long.");
  return {
    joinRef: textOrNull(fields["join_ref"]),
    ref: textOrNull(fields["ref"]),
    topic,
    event,
    payload: asRecord(fields["payload"]),
  };
}

/** Payloads marked as JSON are forwarded unchanged, so they are checked here. */
function assertJson(bytes: Buffer): void {
  try {
    JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new MalformedFrameError("A broadcast is not JSON.");
  }
}

function decodePush(bytes: Buffer): SocketMessage {
  const lengths = [1, 2, 3, 4, 5].map((at) => bytes[at] ?? 0);
  let offset = 7;
  if (
    bytes[0] !== userBroadcastPushKind ||
    bytes.length < offset + lengths.reduce((a, b) => a + b, 0)
  ) {
    throw new MalformedFrameError("A binary frame is not a broadcast.");
  }
  const [joinRef = "", ref = "", topic = "", event = "", metadata = ""] = lengths.map((length) =>
    bytes.toString("utf8", offset, (offset += length)),
  );
  const payload = bytes.subarray(offset);
  const isJson = bytes[6] === 1;
  if (isJson) assertJson(payload);
  return {
    joinRef: joinRef || null,
    ref: ref || null,
    topic,
    event: "broadcast",
    payload: {},
    binary: { event, isJson, payload, metadata },
  };
}

/** @throws {MalformedFrameError} */
export function decodeFrame(
  data: Buffer,
  isBinary: boolean,
  version: ProtocolVersion,
): SocketMessage {
  return isBinary ? decodePush(data) : decodeText(data.toString("utf8"), version);
}

const jsonString = String.raw`"((?:[^"\\]|\\.)*)"`;
const scalar = String.raw`(?:null|\d+|"[^"\\]*")`;
/** The topic where the official clients write it: third in an array, first in an object. */
const leadingTopic: Readonly<Record<ProtocolVersion, RegExp>> = {
  "1.0.0": new RegExp(String.raw`^\{"topic":${jsonString}`),
  "2.0.0": new RegExp(String.raw`^\[${scalar},${scalar},${jsonString}`),
};

/**
 * Reads the topic of a frame from its first bytes, without decoding the rest: a frame that is rejected for its size
 * must not cost a parse of that size.
 * @returns undefined when the topic is not where the official clients write it
 */
export function peekTopic(
  data: Buffer,
  isBinary: boolean,
  version: ProtocolVersion,
): string | undefined {
  if (isBinary) {
    const [, joinRef = 0, ref = 0, topic = 0] = data;
    const start = 7 + joinRef + ref;
    return data.toString("utf8", start, start + topic);
  }
  const head = data.toString("utf8", 0, 2 * maxTopicLength + 256);
  const match = leadingTopic[version].exec(head);
  try {
    return match === null ? undefined : (JSON.parse(`"${match[1]}"`) as string);
  } catch {
    return undefined;
  }
}

/** Encodes a text frame. `payload` is JSON text, so that many frames can share it. */
export function encodeFrame(
  version: ProtocolVersion,
  message: { joinRef: string | null; ref: string | null; topic: string; event: string },
  payload: string,
): Frame {
  const [joinRef, ref, topic, event] = [
    message.joinRef,
    message.ref,
    message.topic,
    message.event,
  ].map((field) => JSON.stringify(field));
  const text =
    version === "2.0.0"
      ? `[${joinRef},${ref},${topic},${event},${payload}]`
      : `{"topic":${topic},"event":${event},"payload":${payload},"ref":${ref},"join_ref":${joinRef}}`;
  return buildFrame(opcodes.text, Buffer.from(text));
}

/**
 * Encodes a binary broadcast for protocol 2.0.0; undefined when a name is too long for its format.
 * @param metadata JSON for the client's `meta`; none when empty
 */
export function encodeBroadcast(
  topic: string,
  broadcast: Pick<UserBroadcast, "event" | "isJson" | "payload">,
  metadata = "",
): Frame | undefined {
  const names = [Buffer.from(topic), Buffer.from(broadcast.event), Buffer.from(metadata)];
  if (names.some((name) => name.length > maxFieldBytes)) return undefined;
  const lengths = names.map((name) => name.length);
  const head = Buffer.from([userBroadcastKind, ...lengths, broadcast.isJson ? 1 : 0]);
  return buildFrame(opcodes.binary, Buffer.concat([head, ...names, broadcast.payload]));
}
