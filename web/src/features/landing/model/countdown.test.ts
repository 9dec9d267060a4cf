import { beforeEach, describe, expect, it } from "vitest";
import {
  chooseTarget,
  countdownKey,
  countdownMs,
  formatRemaining,
  readCountdown,
} from "./countdown.ts";
import { hasStoredSession } from "@/lib/stored-session.ts";

const now = Date.parse("2026-11-21T09:00:00.000Z");

beforeEach(() => localStorage.clear());

describe("the countdown's target", () => {
  it("is 24 hours ahead and saved as an ISO date", () => {
    expect(chooseTarget(localStorage, now)).toBe(now + countdownMs);
    expect(localStorage.getItem(countdownKey)).toBe("2026-11-22T09:00:00.000Z");
    expect(localStorage).toHaveLength(1);
  });

  it("is reused while it lies ahead", () => {
    localStorage.setItem(countdownKey, "2026-11-21T10:30:00.000Z");
    expect(chooseTarget(localStorage, now)).toBe(now + 5_400_000);
    expect(localStorage.getItem(countdownKey)).toBe("2026-11-21T10:30:00.000Z");
  });

  it.each(["2026-11-21T09:00:00.000Z", "2020-01-01T00:00:00.000Z", "tomorrow", ""])(
    "is set anew when %j was saved",
    (saved) => {
      localStorage.setItem(countdownKey, saved);
      expect(chooseTarget(localStorage, now)).toBe(now + countdownMs);
      expect(localStorage.getItem(countdownKey)).toBe("2026-11-22T09:00:00.000Z");
    },
  );
});

describe("the countdown's figures", () => {
  it.each([
    [countdownMs, "24:00:00"],
    [countdownMs - 1, "24:00:00"],
    [3_723_000, "01:02:03"],
    [59_001, "00:01:00"],
    [1, "00:00:01"],
    [0, "00:00:00"],
    [-5, "00:00:00"],
  ])("%i ms read %s", (remaining, text) => {
    expect(formatRemaining(remaining)).toBe(text);
  });

  it("removes the saved target at zero, not before", () => {
    const target = chooseTarget(localStorage, now);
    expect(readCountdown(localStorage, target, target - 1000)).toBe("00:00:01");
    expect(localStorage).toHaveLength(1);
    expect(readCountdown(localStorage, target, target)).toBe("00:00:00");
    expect(localStorage).toHaveLength(0);
  });
});

describe("a stored session", () => {
  it("is seen by its key and its refresh token", () => {
    expect(hasStoredSession(localStorage)).toBe(false);
    localStorage.setItem("sb-127-auth-token", "{}");
    expect(hasStoredSession(localStorage)).toBe(false);
    localStorage.setItem("sb-127-auth-token", JSON.stringify({ refresh_token: "r" }));
    expect(hasStoredSession(localStorage)).toBe(true);
  });
});
