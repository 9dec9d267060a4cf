import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createLinkPreviews } from "./link-previews.ts";

const page =
  '<!doctype html><html><head><title>Fourfold</title><meta\n name="description"\n content="Old" /></head><body>The app</body></html>';
const code = "0123456789abcdefghjk";
const published: Readonly<Record<string, unknown>> = {
  [`card ${code}`]: {
    name: 'Zoë "Z" <b>',
    title: "Level 2: Knowledge",
    line: "Reached level 2.",
    day: "2026-11-08",
  },
  [`certificate ${code}`]: {
    name: "Zoë Ångström",
    course: "Price it properly",
    mentor: null,
    completed_on: "2026-03-01",
    is_revoked: false,
  },
  "certificate revoked0000000000000": {
    name: "Zoë Ångström",
    course: "Price it properly",
    mentor: null,
    completed_on: "2026-03-01",
    is_revoked: true,
  },
};

/** The previews before a route that stands for the app, with what was looked up. */
function site({ isDown = false } = {}) {
  const asked: string[] = [];
  const app = new Hono();
  app.route(
    "/",
    createLinkPreviews(
      { log: pino({ level: "silent" }), publicUrl: "https://fourfold.example" },
      { limitRequests: async (_c, next) => await next() },
      async (kind, typed) => {
        asked.push(`${kind} ${typed}`);
        if (isDown) throw new Error("no database");
        return await Promise.resolve(published[`${kind} ${typed}`] ?? null);
      },
    ),
  );
  app.get("/missing", (c) => c.text("Not found", 404));
  app.get("*", (c) => {
    if (c.req.header("if-none-match") === '"app"') return c.body(null, 304);
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'self'",
      etag: '"app"',
      "last-modified": "Fri, 27 Nov 2026 12:00:00 GMT",
    };
    if (c.req.raw.method === "HEAD") return new Response(null, { headers });
    if (c.req.header("accept-encoding") !== "br") return c.body(page, 200, headers);
    return c.body(new Uint8Array(brotliCompressSync(page)), 200, {
      ...headers,
      "content-encoding": "br",
    });
  });
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await app.request(path, { headers });
  return { app, get, asked };
}

/** What a maker of previews reads. */
async function previewOf(response: Response) {
  const text = await response.text();
  const tag = (property: string) =>
    new RegExp(`<meta property="${property}" content="([^"]*)" />`).exec(text)?.[1];
  return {
    title: /<title>([^<]*)<\/title>/.exec(text)?.[1],
    titles: text.split("<title>").length - 1,
    descriptions: text.split('name="description"').length - 1,
    ogTitle: tag("og:title"),
    description: tag("og:description"),
    image: tag("og:image"),
    url: tag("og:url"),
    body: /<body>(.*)<\/body>/.exec(text)?.[1],
  };
}

describe("the preview of a link", () => {
  it.each([
    ["/", /^Fourfold: 10x/, /paid membership/],
    ["/guarantee", /^The guarantee/, /money back/],
    ["/terms", /^Terms/, /what it costs/],
    ["/privacy", /^Privacy/, /What we keep/],
    ["/refunds", /^Refunds/, /Fourteen days/],
    ["/verify", /^Verify a certificate/, /code/],
    ["/join/ada", /^A member invited you/, /paid membership/],
    ["/verify/nonsense", /^Verify a certificate/, /code/],
    ["/shared/nonsense", /^Shared by a member/, /measures/],
  ])("has title, description and picture: %s", async (path, title, description) => {
    const { get, asked } = site();
    const response = await get(path);
    expect([response.status, response.headers.get("content-security-policy")]).toEqual([
      200,
      "default-src 'self'",
    ]);
    const preview = await previewOf(response);
    expect(preview.title).toMatch(title);
    expect(preview).toMatchObject({
      titles: 1,
      descriptions: 1,
      ogTitle: preview.title,
      image: "https://fourfold.example/icons/app-512.png",
      url: `https://fourfold.example${path}`,
      body: "The app",
    });
    expect(preview.description).toMatch(description);
    expect(asked).toEqual([]);
  });

  it("of a card says what the card says, as text", async () => {
    const { get } = site();
    const preview = await previewOf(await get(`/shared/${code}`));
    expect(preview.title).toBe("Level 2: Knowledge · Fourfold");
    expect(preview.description).toBe(
      "Reached level 2. Zoë &quot;Z&quot; &lt;b&gt;, 8 November 2026.",
    );
  });

  it("of a certificate names member and course, of a revoked one nobody", async () => {
    const { get } = site();
    const valid = await previewOf(await get(`/verify/${code}`));
    expect(valid.title).toBe("Certificate: Price it properly · Fourfold");
    expect(valid.description).toBe("Zoë Ångström completed this course on 1 March 2026.");
    const revoked = await (await get("/verify/revoked0000000000000")).text();
    expect(revoked).not.toMatch(/Zoë|Price it/);
    expect(revoked).toContain("Verify a certificate");
  });

  it("has the words of its kind when nothing can be looked up", async () => {
    const { get, asked } = site({ isDown: true });
    const response = await get(`/shared/${code}`);
    expect(response.status).toBe(200);
    expect((await previewOf(response)).title).toBe("Shared by a member of Fourfold");
    expect(asked).toEqual([`card ${code}`]);
  });
});

describe("a page with a preview", () => {
  it("comes in the encoding of the page, and is asked about by its own tag", async () => {
    const { get } = site();
    const packed = await get("/", { "accept-encoding": "br" });
    expect(packed.headers.get("content-encoding")).toBe("br");
    const bytes = Buffer.from(await packed.arrayBuffer());
    expect(packed.headers.get("content-length")).toBe(String(bytes.length));
    expect(brotliDecompressSync(bytes).toString()).toContain("og:title");
    const plain = await get("/");
    expect(await plain.text()).toContain("og:title");
    expect(plain.headers.get("last-modified")).toBeNull();
    const again = await get("/", { "if-none-match": plain.headers.get("etag") ?? "" });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("answers HEAD without a body, and leaves what is no page", async () => {
    const { app, get } = site();
    const head = await app.request("/guarantee", {
      method: "HEAD",
      headers: { "accept-encoding": "br" },
    });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toContain("text/html");
    expect(await (await get("/elsewhere")).text()).toBe(page);
    expect((await get("/missing")).status).toBe(404);
  });
});
