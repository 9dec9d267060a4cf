import { describe, expect, test } from "vitest";
import {
  allowsType,
  assertMimePatterns,
  parseBucketSize,
  parseConfigSize,
} from "./bucket-limits.ts";

test.each([
  ["50MiB", 52_428_800],
  ["50MB", 52_428_800],
  ["1GiB", 1_073_741_824],
  ["1000", 1000],
  [123, 123],
  ["a lot", 52_428_800],
  [undefined, 52_428_800],
])("config.toml's %j is %d bytes", (text, bytes) => {
  expect(parseConfigSize(text)).toBe(bytes);
});

test.each([
  ["20MB", 20_000_000],
  ["1.5kb", 1500],
  ["3B", 3],
  [77.9, 77],
])("a bucket's %j is %d bytes", (size, bytes) => {
  expect(parseBucketSize(size)).toBe(bytes);
});

test.each(["20MiB", "-1B", "", "B"])("a bucket's %j is no size", (size) => {
  expect(() => parseBucketSize(size)).toThrow("Invalid file size format");
});

describe("types a bucket takes", () => {
  test.each([
    [null, "anything/at-all", true],
    [[], "anything/at-all", true],
    [["image/png"], "image/png", true],
    [["image/png"], "IMAGE/PNG; charset=x", true],
    [["image/jpg"], "image/jpeg", true],
    [["image/*"], "image/webp", true],
    [["*/*"], "text/plain", true],
    [["image/png"], "image/pngx", false],
    [["image/*"], "images/png", false],
    [["text/plain"], "nonsense", false],
  ])("%j and %s: %s", (patterns, type, allowed) => {
    expect(allowsType(patterns, type)).toBe(allowed);
  });

  test("are patterns of a known form", () => {
    expect(() => assertMimePatterns(["image/png", "text/*", "*"])).not.toThrow();
    expect(() => assertMimePatterns(["png"])).toThrow("not supported");
    expect(() => assertMimePatterns(["image/png\nx"])).toThrow("not supported");
  });
});
