import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { landingSource, withLanding } from "./landing-page.ts";
import { createLinkPreviews } from "./link-previews.ts";

const log = pino({ level: "silent" });

/** A source over a database that says `page.found`, with what was asked of it. */
function source() {
  const state = { found: "one" as unknown, isDown: false, now: 0, reads: 0, renders: 0 };
  const landing = landingSource(
    { log },
    async () => {
      state.reads += 1;
      if (state.isDown) throw new Error("no database");
      return await Promise.resolve(state.found);
    },
    async (found) => {
      state.renders += 1;
      if (found === "broken") throw new Error("not rendered");
      return await Promise.resolve(`<p>${String(found)} $&</p>`);
    },
    () => state.now,
  );
  return { state, landing };
}

describe("the landing page of the moment", () => {
  it("is read once for many visitors, and rendered anew only when it has changed", async () => {
    const { state, landing } = source();
    const all = await Promise.all([landing(), landing(), landing()]);
    expect(new Set(all.map((page) => page?.html))).toEqual(new Set(["<p>one $&</p>"]));
    state.now = 4999;
    await landing();
    expect(state).toMatchObject({ reads: 1, renders: 1 });
    state.now = 5000;
    await landing();
    expect(state).toMatchObject({ reads: 2, renders: 1 });
    state.found = "two";
    state.now = 10_000;
    const changed = await landing();
    expect(changed?.html).toBe("<p>two $&</p>");
    expect(changed?.mark).not.toBe(all[0]?.mark);
  });

  it("stays as it was while the database is away, and is none before it was ever read", async () => {
    const { state, landing } = source();
    state.isDown = true;
    expect(await landing()).toBeNull();
    state.isDown = false;
    state.now = 5000;
    expect((await landing())?.html).toBe("<p>one $&</p>");
    for (const failure of [{ isDown: true }, { isDown: false, found: "broken" }]) {
      Object.assign(state, failure);
      state.now += 5000;
      expect((await landing())?.html).toBe("<p>one $&</p>");
    }
  });

  it("stands between the marks of the built page, whatever it says", () => {
    const built = "<head></head><!--landing-begins--><p>old</p>\n<!--landing-ends--><script>";
    expect(withLanding(built, { html: "<p>$& $1</p>" })).toBe(
      "<head></head><!--landing-begins--><p>$& $1</p><!--landing-ends--><script>",
    );
    expect(withLanding("<p>Another</p>", { html: "new" })).toBe("<p>Another</p>");
  });
});

it("the site answers / with the page of the moment, and says when it has changed", async () => {
  const { state, landing } = source();
  const app = new Hono();
  app.route(
    "/",
    createLinkPreviews(
      { log, publicUrl: "https://fourfold.example" },
      { limitRequests: async (_c, next) => await next() },
      async () => await Promise.resolve(null),
      landing,
    ),
  );
  app.get("*", (c) =>
    c.body("<head><title>F</title></head><!--landing-begins-->built<!--landing-ends-->", 200, {
      "content-type": "text/html; charset=utf-8",
      etag: '"file"',
    }),
  );
  const first = await app.request("/");
  const etag = first.headers.get("etag") ?? "";
  const text = await first.text();
  expect(text).toContain("<p>one $&</p>");
  expect(text).toContain("og:title");
  expect(text).not.toContain("built");
  expect(await (await app.request("/guarantee")).text()).toContain("built");
  const headers = { "if-none-match": etag };
  expect((await app.request("/", { headers })).status).toBe(304);
  Object.assign(state, { found: "two", now: 5000 });
  const changed = await app.request("/", { headers });
  expect(changed.status).toBe(200);
  expect(await changed.text()).toContain("<p>two $&</p>");
});
