import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { htmlPage, raw, scriptAsset, startSite, type Site } from "./site.ts";

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(async () => {
  await site.stop();
});

describe("assets", () => {
  test("with a hash in their name are cached for a year", async () => {
    const { headers } = await fetch(`${site.url}/assets/app-1a2b.js`);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(headers.get("content-security-policy")).toBeNull();
  });

  test("are compressed as the client accepts", async () => {
    const path = "/assets/app-1a2b.js";
    const brotli = await raw(site, path, { "accept-encoding": "gzip, br" });
    expect(brotli.headers).toMatchObject({
      "content-encoding": "br",
      vary: "Accept-Encoding",
      "content-length": String(brotli.body.length),
    });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(scriptAsset);
    expect(brotli.body.length).toBeLessThan(scriptAsset.length / 4);
    const gzip = await raw(site, path, { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    const plain = await raw(site, path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.headers["vary"]).toBe("Accept-Encoding");
    expect(plain.body.toString()).toBe(scriptAsset);
    const tags = [brotli, gzip, plain].map((answer) => answer.headers["etag"]);
    expect(new Set(tags).size).toBe(3);
    const known = { "accept-encoding": "br", "if-none-match": String(tags[0]) };
    expect((await raw(site, path, known)).status).toBe(304);
  });

  test("answer HEAD with the length of what GET sends", async () => {
    const head = await raw(site, "/assets/app-1a2b.js", { "accept-encoding": "br" }, "HEAD");
    const get = await raw(site, "/assets/app-1a2b.js", { "accept-encoding": "br" });
    expect(head.body.length).toBe(0);
    expect(head.headers["content-length"]).toBe(String(get.body.length));
  });

  test("are served in ranges, so that films can be sought", async () => {
    const part = await fetch(`${site.url}/film.mp4`, { headers: { range: "bytes=3-5" } });
    expect([part.status, await part.text()]).toEqual([206, "345"]);
    expect(part.headers.get("content-range")).toBe("bytes 3-5/10");
    const beyond = await fetch(`${site.url}/film.mp4`, { headers: { range: "bytes=10-" } });
    expect(beyond.status).toBe(416);
  });
});

describe("config.json", () => {
  test("tells the app where its backend is, and is never cached", async () => {
    const answer = await fetch(`${site.url}/config.json`, {
      headers: { origin: "https://else.example" },
    });
    expect(await answer.json()).toEqual({
      supabaseUrl: "https://site.example",
      supabaseAnonKey: "the-anon-key",
      brand: { name: "Example" },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect((await fetch(`${site.url}/config.json`, { method: "HEAD" })).status).toBe(200);
  });

  test("and a host without a web app say what they are", async () => {
    const { url, anonKey } = inject("host");
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({
      supabaseUrl: url,
      supabaseAnonKey: anonKey,
    });
    const answer = await fetch(url, { headers: htmlPage });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ message: "This host serves an API." });
    expect((await fetch(`${url}/anything`, { headers: htmlPage })).status).toBe(404);
  });
});
