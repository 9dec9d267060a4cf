import { expect, it } from "vitest";
import { createRedirectThrottle } from "./redirect-throttle.ts";

function gateAt() {
  const time = { now: 1_000 };
  const gate = createRedirectThrottle({ now: () => time.now, after: () => () => {} });
  return { time, gate };
}

it("lets the first redirect through and holds the same one back for two seconds", () => {
  const { time, gate } = gateAt();
  expect(gate.request("/paywall")).toBe(0);
  expect(gate.request("/paywall")).toBe(2000);
  time.now += 1999;
  expect(gate.request("/paywall")).toBe(1);
  time.now += 1;
  expect(gate.request("/paywall")).toBe(0);
});

it("does not hold back another target", () => {
  const { gate } = gateAt();
  expect(gate.request("/paywall")).toBe(0);
  expect(gate.request("/auth")).toBe(0);
  expect(gate.request("/auth")).toBe(2000);
});

it("does not count a held-back request as a redirect", () => {
  const { time, gate } = gateAt();
  gate.request("/paywall");
  time.now += 1500;
  expect(gate.request("/paywall")).toBe(500);
  time.now += 500;
  expect(gate.request("/paywall")).toBe(0);
});
