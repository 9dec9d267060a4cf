import { describe, expect, test } from "vitest";
import { encodeBroadcast, encodeFrame, peekTopic } from "./frames.ts";

describe("a frame", () => {
  const message = { joinRef: null, ref: null, topic: "t", event: "e" };
  const textOf = (payload: string) => `[null,null,"t","e",${payload}]`;

  // RFC 6455, section 5.2: the length takes 7 bits, 16 bits or 64 bits.
  test.each([
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 255, 255]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])("of %i bytes begins with %j and is not masked", (length, header) => {
    const payload = JSON.stringify("x".repeat(length - textOf('""').length));
    const { bytes } = encodeFrame("2.0.0", message, payload);
    expect([...bytes.subarray(0, header.length)]).toEqual(header);
    expect(bytes.toString("utf8", header.length)).toBe(textOf(payload));
  });

  test("of bytes is binary and holds the names before the payload", () => {
    const payload = Buffer.from("{}");
    const frame = encodeBroadcast("room", { event: "new", isJson: true, payload });
    expect(frame?.bytes).toEqual(
      Buffer.from([0x82, 14, 4, 4, 3, 0, 1, ...Buffer.from("roomnew{}")]),
    );
  });
});

const array = (topic: string) => Buffer.from(JSON.stringify(["1", 2, topic, "broadcast", {}]));
const object = (topic: string) => Buffer.from(JSON.stringify({ topic, event: "broadcast" }));

test.each(["realtime:room", 'a "quoted" \\ name', "räume:1"])(
  "the topic %j is read from the first bytes of a frame",
  (topic) => {
    expect(peekTopic(array(topic), false, "2.0.0")).toBe(topic);
    expect(peekTopic(object(topic), false, "1.0.0")).toBe(topic);
    const lengths = [1, 1, Buffer.byteLength(topic), 5, 0, 1];
    const binary = Buffer.from([3, ...lengths, ...Buffer.from(`12${topic}event{}`)]);
    expect(peekTopic(binary, true, "2.0.0")).toBe(topic);
  },
);

test.each([
  "",
  "[",
  "{}",
  '["1","2"',
  '[{"a":1},"2","topic"]',
  '["1","2","\\x"]',
  '{"topic":"\\x"}',
])("a frame that starts with %s has none", (text) => {
  expect(peekTopic(Buffer.from(text), false, "2.0.0")).toBeUndefined();
  expect(peekTopic(Buffer.from(text), false, "1.0.0")).toBeUndefined();
});
