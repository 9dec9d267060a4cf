import { describe, expect, test } from "vitest";
import { isUnchanged, rangeOf } from "./conditional-requests.ts";

const etag = '"abc"';
const modified = new Date("2026-03-04T05:06:07.890Z");
const request = (headers: Record<string, string>) => new Request("http://a.test", { headers });
const rangeIn = (range: string, size = 10) => rangeOf(request({ range }), etag, size);

describe("a range", () => {
  test.each([
    ["bytes=2-4", { start: 2, end: 4 }],
    ["bytes=7-", { start: 7, end: 9 }],
    ["bytes=-2", { start: 8, end: 9 }],
    ["bytes=8-100", { start: 8, end: 9 }],
    // RFC 9110: a suffix longer than the content means all of it.
    ["bytes=-100", { start: 0, end: 9 }],
  ])("%s is sent", (range, expected) => {
    expect(rangeIn(range)).toEqual(expected);
  });

  test.each(["bytes=10-", "bytes=5-4", "bytes=-0"])("%s cannot be met", (range) => {
    expect(rangeIn(range)).toBeNull();
  });

  test.each(["", "bytes=-", "bytes=a-b", "lines=1-2", "bytes=0-1,3-4", "bytes=0-0xff"])(
    "%s is ignored",
    (range) => {
      expect(rangeIn(range)).toBeUndefined();
    },
  );

  test("of an empty file cannot be met, one of another version is ignored", () => {
    expect(rangeIn("bytes=-1", 0)).toBeNull();
    expect(rangeIn("bytes=0-", 0)).toBeNull();
    const old = request({ range: "bytes=0-1", "if-range": '"old"' });
    expect(rangeOf(old, etag, 10)).toBeUndefined();
  });

  test("is one of a thousand at no cost", () => {
    expect(rangeIn(`bytes=${"0-,".repeat(1000)}0-`)).toBeUndefined();
  });
});

describe("a copy", () => {
  test.each([
    [{ "if-none-match": '"abc"' }],
    [{ "if-none-match": '"x", W/"abc"' }],
    [{ "if-none-match": "*" }],
    [{ "if-modified-since": "Wed, 04 Mar 2026 05:06:07 GMT" }],
    [{ "if-none-match": '"abc"', "if-modified-since": "Wed, 04 Mar 2020 05:06:07 GMT" }],
    [{ "if-none-match": '"abc"', "cache-control": "no-cache" }],
  ])("is current with %j", (headers) => {
    expect(isUnchanged(request(headers), etag, modified)).toBe(true);
  });

  test.each([
    [{}],
    [{ "if-none-match": '"x"' }],
    [{ "if-none-match": '"x"', "if-modified-since": "Wed, 04 Mar 2027 05:06:07 GMT" }],
    [{ "if-modified-since": "Wed, 04 Mar 2026 05:06:06 GMT" }],
    [{ "if-modified-since": "whenever" }],
  ])("is out of date with %j", (headers) => {
    expect(isUnchanged(request(headers), etag, modified)).toBe(false);
  });

  test("of a file without an entity tag is never current by its tag", () => {
    expect(isUnchanged(request({ "if-none-match": '"x",' }), "", modified)).toBe(false);
  });
});
