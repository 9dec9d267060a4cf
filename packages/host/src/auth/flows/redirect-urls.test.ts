import { describe, expect, test } from "vitest";
import { createRedirectUrls } from "./redirect-urls.ts";

const siteUrl = "https://app.example.com";

function resolves(globs: string[], wanted: string): boolean {
  return createRedirectUrls(siteUrl, ["https://api.example.com"], globs).resolve(wanted) === wanted;
}

describe("redirect URLs", () => {
  test.each([
    [siteUrl, true],
    [`${siteUrl}/any/path?x=1#y`, true],
    ["https://api.example.com/onboarding", true],
    ["http://app.example.com/", false],
    ["https://app.example.com:8443/", false],
    ["https://app.example.com.evil.test/", false],
    ["https://app.example.com@evil.test/", false],
    ["https://user:pass@app.example.com/", false],
    ["https://evil.test/https://app.example.com", false],
    ["//app.example.com/", false],
    ["/path", false],
    ["javascript:alert(1)//https://app.example.com", false],
    ["", false],
    [`${siteUrl}/${"x".repeat(3000)}`, false],
  ])("with no patterns, %j: %j", (wanted, allowed) => {
    expect(resolves([], wanted)).toBe(allowed);
  });

  test.each([
    ["https://*.example.org", "https://a.example.org", true],
    ["https://*.example.org", "https://a.b.example.org", false],
    ["https://*.example.org", "https://evil.test/.example.org", false],
    ["https://*.example.org/**", "https://a.example.org/x/y.html", true],
    ["https://example.org/*", "https://example.org/one", true],
    ["https://example.org/*", "https://example.org/one/two", false],
    ["https://example.org/**", "https://example.org/one/two?three#four", true],
    ["https://example.org/welcome", "https://example.org/welcome#token", true],
    ["https://example.org/welcome", "https://exampleXorg/welcome", false],
    ["https://{a,b}.example.org/", "https://b.example.org/", true],
    ["https://{a,b}.example.org/", "https://c.example.org/", false],
    ["https://v[0-9].example.org/", "https://v7.example.org/", true],
    ["https://v[!0-9].example.org/", "https://v7.example.org/", false],
    ["https://?.example.org/", "https://a.example.org/", true],
    ["https://example.org/**", "https://example.org\\@evil.test/", true],
    ["myapp://**", "myapp://callback", true],
    ["**", "javascript:alert(1)", false],
    ["**", "data:text/html,x", false],
    ["https://example.org/(a+)+$", `https://example.org/${"a".repeat(50)}!`, false],
  ])("with the pattern %j, %j: %j", (glob, wanted, allowed) => {
    expect(resolves([glob], wanted)).toBe(allowed);
  });

  test("treat all loopback names and ports as the same site", () => {
    const redirects = createRedirectUrls("http://127.0.0.1:3000", [], []);
    expect(redirects.resolve("http://localhost:5173/x")).toBe("http://localhost:5173/x");
    expect(redirects.resolve("https://localhost:5173/x")).toBe("http://127.0.0.1:3000");
    expect(redirects.resolve("http://192.168.0.1:3000/x")).toBe("http://127.0.0.1:3000");
  });

  test.each([
    "http://localhost:3000/x",
    "http://127.0.0.1:3000/x",
    "http://127.1.2.3:3000/x",
    "http://2130706433/x",
    "http://[::1]:3000/x",
    "http://[::ffff:127.0.0.1]/x",
    "http://app.localhost/x",
    "http://localhost./x",
    "http://0.0.0.0:3000/x",
  ])("patterns of a developer's machine do not hold for a public install: %s", (wanted) => {
    const globs = ["http://127.0.0.1:3000/**", "http://localhost:3000/**", "**"];
    expect(resolves(globs, wanted)).toBe(false);
    const local = createRedirectUrls("http://127.0.0.1:3000", ["http://127.0.0.1:3000"], globs);
    expect(local.resolve(wanted)).toBe(wanted);
  });

  test("reject loopback targets on a public install", () => {
    expect(resolves([], "http://127.0.0.1:3000/")).toBe(false);
  });

  test("fall back to the site URL", () => {
    const redirects = createRedirectUrls(siteUrl, [], []);
    expect(redirects.resolve("https://evil.test")).toBe(siteUrl);
    expect(redirects.resolve(undefined)).toBe(siteUrl);
  });
});
