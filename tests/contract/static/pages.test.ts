import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStaticApp } from "basehost/testing";
import { contextFor, htmlPage, raw, startSite, type Site } from "./site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(async () => {
  await site.stop();
});

describe("addresses", () => {
  test.each([
    ["/", "Landing"],
    ["/index.html", "Landing"],
    ["/join", "Join"],
    ["/join?plan=mentor", "Join"],
    ["/join/now", "App"],
    ["/community/rooms/1", "App"],
    ["/sign-in?next=%2F", "App"],
  ])("a navigation to %s shows the %s", async (path, title) => {
    const answer = await fetch(`${site.url}${path}`, { headers: htmlPage });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await answer.text()).toContain(`<title>${title}</title>`);
  });

  test.each(["/assets/gone.js", "/rest/v1/unknown", "/.built", "/linked.txt"])(
    "%s is not found, for programs",
    async (path) => {
      expect((await fetch(`${site.url}${path}`)).status).toBe(404);
    },
  );

  test.each(["/assets/gone.js", "/storage/v1/unknown"])(
    "%s is no page, for browsers either",
    async (path) => {
      expect((await fetch(`${site.url}${path}`, { headers: htmlPage })).status).toBe(404);
    },
  );

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/..%5csecret.txt",
    "//secret.txt",
    "/assets/%00",
    "/%ff",
  ])("%s leads nowhere", async (path) => {
    const answer = await raw(site, path);
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).not.toContain("outside");
  });

  test.each([
    ["takes anything", { accept: "*/*" }, "GET"],
    ["takes anything, and only looks", { accept: "*/*" }, "HEAD"],
    ["names nothing", {}, "GET"],
    ["prefers others", { accept: "application/json, */*;q=0.5" }, "GET"],
  ] as const)("a program that %s gets the app's page", async (_who, headers, method) => {
    for (const path of ["/sign-in", "/verify/ABCD", "/constructor"]) {
      const answer = await raw(site, path, headers, method);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers["content-type"]).toMatch(/^text\/html/);
      if (method === "GET") expect(answer.body.toString()).toContain("<title>App</title>");
    }
  });

  test.each(["/gone.png", "/robots.txt", "/assets/gone"])(
    "a program that takes anything gets no page in place of %s",
    async (path) => {
      expect((await raw(site, path, { accept: "*/*" })).status).toBe(404);
    },
  );

  test("a program that asks for JSON alone gets no page", async () => {
    expect((await raw(site, "/sign-in", { accept: "application/json" })).status).toBe(404);
  });

  test("only reading is offered", async () => {
    expect((await fetch(`${site.url}/`, { method: "POST" })).status).toBe(404);
  });
});

describe("pages", () => {
  test("run only their own scripts and the provider's", async () => {
    const { headers } = await fetch(`${site.url}/`);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources.join(" ")] as const;
      }),
    );
    expect(policy.get("script-src")).toBe("'self' https://site.example https://pay.example");
    expect(policy.get("frame-src")).toBe(
      "'self' https://site.example https://pay.example https://films.example",
    );
    expect(policy.get("connect-src")).toBe("'self' https://site.example wss://site.example");
    expect(policy.get("default-src")).toBe("'none'");
    expect(policy.get("object-src")).toBe("'none'");
    expect(policy.get("base-uri")).toBe("'none'");
    expect(policy.get("frame-ancestors")).toBe("'none'");
    expect(policy.get("form-action")).toBe("'self'");
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "permissions-policy":
        'camera=(), geolocation=(), microphone=(), payment=(self "https://pay.example"), usb=()',
    });
  });

  test("are revalidated every time, and sent only when they changed", async () => {
    const first = await fetch(`${site.url}/`);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(`${site.url}/`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("content-security-policy")).not.toBeNull();
  });

  test("do not promise encryption an http install does not have", async () => {
    const app = createStaticApp(contextFor("http://127.0.0.1:3000"), {
      staticFolder: site.folder,
    });
    const answer = await app.request("/");
    expect(answer.headers.get("strict-transport-security")).toBeNull();
    expect(answer.headers.get("content-security-policy")).toContain("ws://127.0.0.1:3000");
  });
});
