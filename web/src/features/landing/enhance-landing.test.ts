import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse("2026-11-21T09:00:00.000Z") });
  document.body.innerHTML = '<a data-session-link href="/auth">Sign in</a><p data-countdown></p>';
});
afterEach(() => vi.useRealTimers());

const clock = () => document.querySelector("[data-countdown]")?.textContent;
const link = () => document.querySelector<HTMLAnchorElement>("[data-session-link]");

it("counts down every second, down to zero, and then forgets the target", async () => {
  localStorage.setItem("landing-countdown-target", "2026-11-21T09:00:03.000Z");
  await import("./enhance-landing.ts");
  expect(clock()).toBe("00:00:03");
  vi.advanceTimersByTime(1000);
  expect(clock()).toBe("00:00:02");
  vi.advanceTimersByTime(2000);
  expect(clock()).toBe("00:00:00");
  expect(localStorage.getItem("landing-countdown-target")).toBeNull();
  expect(vi.getTimerCount()).toBe(0);
});

it("starts a day ahead on the first visit", async () => {
  await import("./enhance-landing.ts");
  expect(clock()).toBe("24:00:00");
  expect(localStorage.getItem("landing-countdown-target")).toBe("2026-11-22T09:00:00.000Z");
  expect(link()?.textContent).toBe("Sign in");
});

it("shows members the way home", async () => {
  localStorage.setItem("sb-127-auth-token", '{"refresh_token":"r"}');
  await import("./enhance-landing.ts");
  expect(link()?.textContent).toBe("Open dashboard");
  expect(link()?.getAttribute("href")).toBe("/dashboard");
});
