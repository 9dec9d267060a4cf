import { expect, test } from "vitest";
import { RequestBucket } from "./request-bucket.ts";

const rate = { perSecond: 2, burst: 3 };

test("a bucket grants a burst at once, then reports how long to wait", () => {
  const bucket = new RequestBucket(rate, 1000);
  expect([1, 2, 3].map(() => bucket.take(rate, 1000))).toEqual([0, 0, 0]);
  expect(bucket.take(rate, 1000)).toBe(500);
});

test("a bucket refills over time, never above its burst, and a rejection costs nothing", () => {
  const bucket = new RequestBucket(rate, 0);
  for (let count = 0; count < 3; count += 1) bucket.take(rate, 0);
  for (let count = 0; count < 100; count += 1) expect(bucket.take(rate, 0)).toBe(500);
  expect(bucket.take(rate, 500)).toBe(0);
  expect(bucket.take(rate, 500)).toBe(500);
  const aDay = 24 * 3600 * 1000;
  expect([1, 2, 3, 4].map(() => bucket.take(rate, aDay))).toEqual([0, 0, 0, 500]);
});

test("a clock that is set back does not drain the bucket", () => {
  const bucket = new RequestBucket(rate, 10_000);
  expect(bucket.take(rate, 0)).toBe(0);
  expect(bucket.take(rate, 0)).toBe(0);
});

test("a bucket owes what another host has granted, up to a limit, and refills from there", () => {
  const bucket = new RequestBucket(rate, 0);
  bucket.charge(2, rate, 0, 4);
  expect([bucket.take(rate, 0), bucket.take(rate, 0)]).toEqual([0, 500]);
  bucket.charge(1000, rate, 0, 4);
  expect(bucket.take(rate, 0)).toBe(2500);
  // A lower limit forgives nothing.
  bucket.charge(1, rate, 0, 0);
  expect(bucket.take(rate, 0)).toBe(2500);
  expect(bucket.take(rate, 2500)).toBe(0);
});
