import { expect, test } from "vitest";
import { peekTopic } from "./frames.ts";

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
