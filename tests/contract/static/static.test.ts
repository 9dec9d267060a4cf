import { createServer, request as nodeRequest, type Server } from "node:http";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { HostContext } from "../../../host/src/context.ts";
import { createStaticApp } from "../../../host/src/static/app.ts";

const SCRIPT = `console.log(${JSON.stringify("words ".repeat(400))})`;
let root: string;
let server: Server;
let site: string;

function contextFor(publicUrl: string, production = false): HostContext {
  return {
    config: { production },
    publicUrl,
    keys: { api: { anonKey: "the-anon-key" } },
    log: pino({ level: "silent" }),
  } as unknown as HostContext;
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "static-"));
  await writeFile(join(root, "secret.txt"), "outside the folder");
  const files: Record<string, string> = {
    "index.html": "<!doctype html><title>Landing</title>",
    "app.html": "<!doctype html><title>App</title>",
    "favicon.svg": "<svg/>",
    ".built": "a stamp",
    "assets/app-1a2b.js": SCRIPT,
    "film.mp4": "0123456789",
  };
  await mkdir(join(root, "dist", "assets"), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(root, "dist", name), content);
  }
  await symlink(join(root, "secret.txt"), join(root, "dist", "linked.txt"));
  const app = createStaticApp(contextFor("https://site.example"), {
    staticFolder: join(root, "dist"),
    publicConfig: { brand: { name: "Example" } },
    contentSecurityPolicy: {
      "script-src": ["https://pay.example"],
      "frame-src": ["https://pay.example"],
    },
  });
  server = createServer((incoming, outgoing) => {
    void getRequestListener(app.fetch, { overrideGlobalObjects: false })(incoming, outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  site = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  await rm(root, { recursive: true, force: true });
});

const PAGE = { accept: "text/html,application/xhtml+xml" };

/** Sends a path as it is: fetch would tidy it first, and unpack the body after. */
async function raw(path: string, headers: Record<string, string> = {}, method = "GET") {
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      nodeRequest(site, { path, headers, method }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const body = Buffer.concat(chunks);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
        });
      })
        .on("error", reject)
        .end();
    },
  );
}

describe("addresses", () => {
  test.each([
    ["/", "Landing"],
    ["/index.html", "Landing"],
    ["/community/rooms/1", "App"],
    ["/sign-in?next=%2F", "App"],
  ])("a navigation to %s shows the %s", async (path, title) => {
    const answer = await fetch(`${site}${path}`, { headers: PAGE });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toMatch(/^text\/html/);
    expect(await answer.text()).toContain(`<title>${title}</title>`);
  });

  test.each(["/assets/gone.js", "/rest/v1/unknown", "/.built", "/linked.txt"])(
    "%s is not found, for programs",
    async (path) => {
      expect((await fetch(`${site}${path}`)).status).toBe(404);
    },
  );

  test.each(["/assets/gone.js", "/storage/v1/unknown"])(
    "%s is no page, for browsers either",
    async (path) => {
      expect((await fetch(`${site}${path}`, { headers: PAGE })).status).toBe(404);
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
    "/constructor",
  ])("%s leads nowhere", async (path) => {
    const answer = await raw(path);
    expect(answer.status).toBe(404);
    expect(answer.body.toString()).not.toContain("outside");
  });

  test("only reading is offered", async () => {
    expect((await fetch(`${site}/`, { method: "POST" })).status).toBe(404);
  });
});

describe("pages", () => {
  test("run nothing but their own scripts and the provider's", async () => {
    const { headers } = await fetch(`${site}/`);
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((directive) => {
        const [name = "", ...sources] = directive.split(" ");
        return [name, sources.join(" ")] as const;
      }),
    );
    expect(policy.get("script-src")).toBe("'self' https://site.example https://pay.example");
    expect(policy.get("frame-src")).toBe("'self' https://site.example https://pay.example");
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
      "cross-origin-opener-policy": "same-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "permissions-policy":
        'camera=(), geolocation=(), microphone=(), payment=(self "https://pay.example"), usb=()',
    });
  });

  test("are asked about every time, and sent only when they changed", async () => {
    const first = await fetch(`${site}/`);
    expect(first.headers.get("cache-control")).toBe("no-cache");
    const etag = first.headers.get("etag") ?? "";
    const again = await fetch(`${site}/`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("content-security-policy")).not.toBeNull();
  });

  test("do not promise encryption an http install does not have", async () => {
    const app = createStaticApp(contextFor("http://127.0.0.1:3000"), {
      staticFolder: join(root, "dist"),
    });
    const answer = await app.request("/");
    expect(answer.headers.get("strict-transport-security")).toBeNull();
    expect(answer.headers.get("content-security-policy")).toContain("ws://127.0.0.1:3000");
  });
});

describe("assets", () => {
  test("with a hash in their name are kept for a year", async () => {
    const { headers } = await fetch(`${site}/assets/app-1a2b.js`);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(headers.get("content-security-policy")).toBeNull();
  });

  test("come packed as the reader takes them", async () => {
    const path = "/assets/app-1a2b.js";
    const brotli = await raw(path, { "accept-encoding": "gzip, br" });
    expect(brotli.headers).toMatchObject({
      "content-encoding": "br",
      vary: "Accept-Encoding",
      "content-length": String(brotli.body.length),
    });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
    expect(brotli.body.length).toBeLessThan(SCRIPT.length / 4);
    const gzip = await raw(path, { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    const plain = await raw(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["vary"]).toBe("Accept-Encoding");
    expect(plain.body.toString()).toBe(SCRIPT);
    const tags = [brotli, gzip, plain].map((answer) => answer.headers["etag"]);
    expect(new Set(tags).size).toBe(3);
    const known = { "accept-encoding": "br", "if-none-match": String(tags[0]) };
    expect((await raw(path, known)).status).toBe(304);
  });

  test("answer HEAD with the length of what GET sends", async () => {
    const head = await raw("/assets/app-1a2b.js", { "accept-encoding": "br" }, "HEAD");
    const get = await raw("/assets/app-1a2b.js", { "accept-encoding": "br" });
    expect(head.body.length).toBe(0);
    expect(head.headers["content-length"]).toBe(String(get.body.length));
  });

  test("are given in parts, so that films can be wound on", async () => {
    const part = await fetch(`${site}/film.mp4`, { headers: { range: "bytes=3-5" } });
    expect([part.status, await part.text()]).toEqual([206, "345"]);
    expect(part.headers.get("content-range")).toBe("bytes 3-5/10");
    const beyond = await fetch(`${site}/film.mp4`, { headers: { range: "bytes=10-" } });
    expect(beyond.status).toBe(416);
  });
});

describe("config.json", () => {
  test("tells the app where its backend is, and is never kept", async () => {
    const answer = await fetch(`${site}/config.json`, {
      headers: { origin: "https://else.example" },
    });
    expect(await answer.json()).toEqual({
      supabaseUrl: "https://site.example",
      supabaseAnonKey: "the-anon-key",
      brand: { name: "Example" },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await fetch(`${site}/config.json`, { method: "HEAD" })).status).toBe(200);
  });

  test("and a host without a web app say what they are", async () => {
    const { url, anonKey } = inject("host");
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({
      supabaseUrl: url,
      supabaseAnonKey: anonKey,
    });
    const answer = await fetch(url, { headers: PAGE });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ message: "This host serves an API." });
    expect((await fetch(`${url}/anything`, { headers: PAGE })).status).toBe(404);
  });
});
