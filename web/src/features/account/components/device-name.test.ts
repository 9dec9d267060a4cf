import { expect, it } from "vitest";
import { deviceName, isHandheld } from "./device-name.ts";

const agents = {
  firefox: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
  chrome:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  iphone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
};

it.each([
  [agents.firefox, "Firefox on Windows", false],
  [agents.chrome, "Chrome on Linux", false],
  [agents.iphone, "Safari on iOS", true],
  ["", "Unknown device", false],
])("%s is %s", (agent, name, handheld) => {
  expect(deviceName(agent)).toBe(name);
  expect(isHandheld(agent)).toBe(handheld);
});

it("a program that is no browser has a name, too", () => {
  expect(deviceName("node")).not.toBe("");
});
