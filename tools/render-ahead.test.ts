import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { renderChanged } from "./render-ahead.ts";
import { createSalePages, keepNewest } from "./sale-pages.ts";

/** Courses on sale that a test may change, what was rendered of them, and the pages that visitors ask for. */
function shop(shown: Record<string, { mark: string; text: string }>) {
  const rendered: string[] = [];
  const asked: string[] = [];
  const render = keepNewest(async (offer) => {
    const { content } = (offer as { free_lesson: { content: string } }).free_lesson;
    rendered.push(content);
    if (content === "heavy") throw new Error("too long");
    return await Promise.resolve(`<p>${content}</p>`);
  });
  const read = async (slug: string) => {
    asked.push(slug);
    const text = shown[slug]?.text;
    return await Promise.resolve(text === undefined ? null : { free_lesson: { content: text } });
  };
  const list = async () =>
    await Promise.resolve(Object.entries(shown).map(([slug, { mark }]) => ({ slug, mark })));
  const app = new Hono().route(
    "/c",
    createSalePages(
      { log: pino({ level: "silent" }) },
      { limitRequests: async (_c, next) => await next(), fileHeaders: {} },
      read,
      render,
    ),
  );
  const visit = async (slug: string) => await (await app.request(`/c/${slug}`)).text();
  return { rendered, asked, look: renderChanged({ list, read }, render), visit };
}

describe("pages that are rendered ahead", () => {
  it("are ready before the first visit, after a change too, also when a lesson can't be shown", async () => {
    const shown = {
      letters: { mark: "1", text: "Dear you" },
      heavy: { mark: "1", text: "heavy" },
    };
    const { rendered, look, visit } = shop(shown);
    await look();
    expect(rendered).toEqual(["Dear you", "heavy", "This lesson can’t be shown here."]);
    expect(await visit("letters")).toBe("<p>Dear you</p>");
    expect(await visit("heavy")).toContain("can’t be shown here");
    expect(rendered).toHaveLength(3);

    shown.letters = { mark: "2", text: "Dear all" };
    await look();
    expect(rendered.slice(3)).toEqual(["Dear all"]);
    expect(await visit("letters")).toBe("<p>Dear all</p>");
    expect(rendered).toHaveLength(4);
  });

  it("are not read again while nothing has changed", async () => {
    const { asked, look } = shop({ letters: { mark: "1", text: "Dear you" } });
    await look();
    await look();
    expect(asked).toEqual(["letters"]);
  });

  it("go on with the next one when one fails altogether, and after the database was away", async () => {
    let isAway = true;
    const tried: unknown[] = [];
    const look = renderChanged(
      {
        list: async () =>
          await Promise.resolve([
            { slug: "gone", mark: "1" },
            { slug: "broken", mark: "1" },
            { slug: "whole", mark: "1" },
          ]),
        read: async (slug) => {
          if (isAway) throw new Error("no database");
          return await Promise.resolve(slug === "gone" ? null : slug);
        },
      },
      async (offer) => {
        tried.push(offer);
        if (offer === "broken") throw new Error("not rendered");
        return await Promise.resolve("");
      },
    );
    await expect(look()).rejects.toThrow("no database");
    isAway = false;
    await look();
    await look();
    expect(tried).toEqual(["broken", "whole"]);
  });
});
