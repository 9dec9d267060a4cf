import { expect, it } from "vitest";
import { createRedirectThrottle } from "./redirect-throttle.ts";

function throttleAt() {
  const time = { now: 1_000 };
  const throttle = createRedirectThrottle({ now: () => time.now, after: () => () => {} });
  return { time, throttle };
}

it("grants the first redirect and suppresses the same one for two seconds", () => {
  const { time, throttle } = throttleAt();
  expect(throttle.request("/paywall")).toBe(true);
  expect(throttle.request("/paywall")).toBe(false);
  time.now += 1999;
  expect(throttle.request("/paywall")).toBe(false);
  time.now += 1;
  expect(throttle.request("/paywall")).toBe(true);
});

it("does not suppress another target", () => {
  const { throttle } = throttleAt();
  expect(throttle.request("/paywall")).toBe(true);
  expect(throttle.request("/auth")).toBe(true);
  expect(throttle.request("/auth")).toBe(false);
});

it("does not count a suppressed request as a redirect", () => {
  const { time, throttle } = throttleAt();
  throttle.request("/paywall");
  time.now += 1500;
  expect(throttle.request("/paywall")).toBe(false);
  time.now += 500;
  expect(throttle.request("/paywall")).toBe(true);
});
