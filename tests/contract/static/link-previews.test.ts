import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { createStaticApp } from "basehost/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLinkPreviews } from "../../../tools/link-previews.ts";
import { contextFor, htmlPage, startSite, type Site } from "./site.ts";

const code = "0123456789abcdefghjk";
let site: Site;
let app: Hono;

beforeAll(async () => {
  site = await startSite();
  for (const name of ["index.html", "app.html"]) {
    const page = `<!doctype html><html><head><title>${name}</title></head><body></body></html>`;
    await writeFile(join(site.folder, name), page);
  }
  const context = contextFor("https://site.example");
  app = new Hono();
  const limits = { limitRequests: async (_c: unknown, next: () => Promise<void>) => await next() };
  app.route(
    "/",
    createLinkPreviews(context, limits, async () => await Promise.resolve(null)),
  );
  app.route("/", createStaticApp(context, { staticFolder: site.folder }));
});

afterAll(async () => {
  await site.stop();
});

/** Who asks: a browser, a maker of previews that takes anything, and a program that does not say. */
const askers = [
  ["a browser", htmlPage],
  ["*/*", { accept: "*/*" }],
  ["a picture or anything", { accept: "image/webp,*/*;q=0.8" }],
  ["no Accept", {}],
] as const;

describe.each(["/", "/guarantee", "/verify", "/join/ada", `/verify/${code}`, `/shared/${code}`])(
  "the link %s",
  (path) => {
    test.each(askers)("has its preview for %s, and answers HEAD", async (_asker, accept) => {
      const headers = new Headers(accept);
      const page = await app.request(path, { headers });
      const text = await page.text();
      expect(page.status).toBe(200);
      for (const tag of ["og:title", "og:description", "og:image"]) {
        expect(text).toMatch(new RegExp(`<meta property="${tag}" content="[^"]+" />`));
      }
      expect(text).toMatch(/<title>[^<]+<\/title>/);
      const head = await app.request(path, { headers, method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      expect(head.headers.get("content-type")).toBe(page.headers.get("content-type"));
    });
  },
);
