import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createSalePages, keepNewest, unshownLesson } from "./sale-pages.ts";

const offers: Readonly<Record<string, unknown>> = { letters: { title: "Letters" } };

/** The pages before a route that stands for the app; with the addresses that were looked up. */
function pages({ isBusy = false, isDown = false } = {}) {
  const asked: string[] = [];
  const app = new Hono();
  app.route(
    "/c",
    createSalePages(
      { log: pino({ level: "silent" }) },
      {
        limitRequests: async (c, next) => (isBusy ? c.text("Too many", 429) : await next()),
        fileHeaders: { "x-content-type-options": "nosniff" },
      },
      async (slug) => {
        asked.push(slug);
        if (isDown) throw new Error("no database");
        return await Promise.resolve(offers[slug.toLowerCase()] ?? null);
      },
      async (offer) => await Promise.resolve(`<!DOCTYPE html><p>${JSON.stringify(offer)}</p>`),
    ),
  );
  app.get("*", (c) => c.text("the app"));
  const get = async (path: string, headers: Record<string, string> = {}) =>
    await app.request(path, { headers });
  return { get, asked };
}

describe("the pages of courses on sale", () => {
  it("are HTML that runs nothing, asked about again at every visit", async () => {
    const { get } = pages();
    const response = await get("/c/letters");
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('{"title":"Letters"}');
    expect(response.headers.get("content-type")).toBe("text/html; charset=UTF-8");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|connect-src|https?:/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    const tag = response.headers.get("etag") ?? "";
    const again = await get("/c/letters", { "if-none-match": tag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("are not found under other addresses, and ask the database for none that cannot be", async () => {
    const { get, asked } = pages();
    for (const path of ["/c/nothing-here", "/c/a", "/c/%00", "/c/%27", `/c/${"a".repeat(81)}`]) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toContain("null");
    }
    expect(asked).toEqual(["nothing-here"]);
  });

  it("leave the checkout, and what cannot be rendered, to the app", async () => {
    expect(await (await pages().get("/c/letters/buy")).text()).toBe("the app");
    const down = await pages({ isDown: true }).get("/c/letters");
    expect([down.status, await down.text()]).toEqual([200, "the app"]);
  });

  it("are limited before anything is looked up", async () => {
    const { get, asked } = pages({ isBusy: true });
    expect((await get("/c/letters")).status).toBe(429);
    expect(asked).toEqual([]);
  });
});

describe("a renderer that keeps pages", () => {
  it("renders an offer again once it has changed, or when it failed", async () => {
    const rendered: unknown[] = [];
    let isBroken = true;
    const render = keepNewest(async (offer) => {
      rendered.push(offer);
      if (isBroken) throw new Error("broken");
      return await Promise.resolve(JSON.stringify(offer));
    });
    await expect(render({ price: 1 })).rejects.toThrow("broken");
    isBroken = false;
    for (const price of [1, 1, 2, 1]) expect(await render({ price })).toBe(`{"price":${price}}`);
    expect(rendered).toEqual([{ price: 1 }, { price: 1 }, { price: 2 }]);
    for (let price = 3; price < 100; price += 1) await render({ price });
    await render({ price: 1 });
    expect(rendered.at(-1)).toEqual({ price: 1 });
  });

  it("keeps fewer pages when they are long, and the newest however long it is", async () => {
    const rendered: number[] = [];
    const render = keepNewest(async (length) => {
      rendered.push(Number(length));
      return await Promise.resolve("x".repeat(Number(length)));
    }, 100);
    for (const length of [40, 50, 40, 50]) await render(length);
    expect(rendered).toEqual([40, 50]);
    for (const length of [60, 50, 40]) await render(length);
    expect(rendered).toEqual([40, 50, 60, 50, 40]);
    for (const length of [500, 500]) await render(length);
    expect(rendered).toEqual([40, 50, 60, 50, 40, 500]);
  });

  it("tries a lesson that cannot be rendered once, and keeps the page that says so", async () => {
    const rendered: string[] = [];
    const render = keepNewest(async (offer) => {
      const { content } = (offer as { free_lesson: { content: string } }).free_lesson;
      rendered.push(content);
      if (content === "heavy") throw new Error("too long");
      return await Promise.resolve(content);
    });
    const offer = { title: "Letters", free_lesson: { title: "One", content: "heavy" } };
    const pages = await Promise.all([render(offer), render(offer)]);
    expect([...pages, await render(offer)]).toEqual(Array.from({ length: 3 }, () => unshownLesson));
    expect(rendered).toEqual(["heavy", unshownLesson]);
  });
});
