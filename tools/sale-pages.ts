import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import type pg from "pg";
import { z } from "zod";
import type { HostContext, SharedByRoutes } from "basehost";
import { renderInWorker } from "./render-in-worker.ts";

/** Makes the whole document of a course on sale, or of none. */
export type SaleRenderer = (offer: unknown) => Promise<string>;

/** The page runs no script and loads styles, fonts and pictures of this site only. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** An address that a course may have, in whatever case it was typed. */
const address = /^[a-z0-9-]{3,80}$/i;

/** Rendered pages that are kept. */
export const maxKept = 50;
/** Characters of all of them; one at the bounds of a text has millions. */
const maxKeptCharacters = 8_000_000;

const buildManifest = z.record(
  z.string(),
  z.object({ css: z.array(z.string()).default([]), imports: z.array(z.string()).default([]) }),
);
/** What the app's page and the texts in it are styled by. */
const styledEntries = ["app.html", "src/features/library/components/markdown-text.tsx"];

/** Stylesheets of the built app in `folder` that a page of it needs. */
async function stylesheetsOf(folder: string): Promise<string[]> {
  const manifest = await readFile(join(folder, ".vite", "manifest.json"), "utf8");
  const entries = buildManifest.parse(JSON.parse(manifest));
  const names = new Set(styledEntries);
  // A set that grows while it is walked through is walked to its new end.
  for (const name of names) {
    for (const imported of entries[name]?.imports ?? []) names.add(imported);
  }
  const files = [...names].flatMap((name) => entries[name]?.css ?? []);
  return [...new Set(files)].map((file) => `/${file}`);
}

/** The renderer that was built with the web app in `folder`, in a worker thread that starts with the first page. */
export function saleRenderer(folder: string, origin: string): SaleRenderer {
  let site: Promise<unknown> | undefined;
  return keepNewest(
    renderInWorker(async () => {
      site ??= stylesheetsOf(folder).then((stylesheets) => ({ origin, stylesheets }));
      const bundle = pathToFileURL(join(folder, ".server", "render-sale.js")).href;
      return { bundle, render: "renderSale", site: await site };
    }),
  );
}

/** What is shown of a free lesson that could not be rendered in time. Plain Markdown. */
export const unshownLesson = "This lesson can’t be shown here.";

/** The offer with a sentence in place of its free lesson's text; undefined when there is none to replace. */
function withoutLesson(offer: unknown): unknown {
  const parsed = z
    .looseObject({ free_lesson: z.looseObject({ content: z.string() }) })
    .safeParse(offer);
  if (!parsed.success || parsed.data.free_lesson.content === unshownLesson) return undefined;
  return { ...parsed.data, free_lesson: { ...parsed.data.free_lesson, content: unshownLesson } };
}

/**
 * Renders the same offer once, also for requests at the same time. A lesson that cannot be rendered is not tried again: its page is
 * kept with a sentence in its place. An error that is not the lesson's is not kept.
 */
export function keepNewest(render: SaleRenderer, maxCharacters = maxKeptCharacters): SaleRenderer {
  const kept = new Map<string, Promise<string>>();
  const lengths = new Map<string, number>();
  const drop = (key: string) => {
    kept.delete(key);
    lengths.delete(key);
  };
  const isFull = () =>
    kept.size > maxKept || lengths.values().reduce((sum, each) => sum + each, 0) > maxCharacters;
  const dropOldest = () => {
    for (const key of kept.keys()) {
      if (!isFull() || kept.size === 1) return;
      drop(key);
    }
  };
  return async (offer) => {
    const key = createHash("sha256").update(JSON.stringify(offer)).digest("hex");
    const known = kept.get(key);
    if (known) return await known;
    const rendering = render(offer).catch(async (error: unknown) => {
      const rest = withoutLesson(offer);
      if (rest === undefined) throw error;
      return await render(rest);
    });
    kept.set(key, rendering);
    dropOldest();
    try {
      const html = await rendering;
      if (kept.has(key)) lengths.set(key, html.length);
      dropOldest();
      return html;
    } catch (error) {
      drop(key);
      throw error;
    }
  };
}

/** What visitors may see of the course at an address; null when it is not on sale. */
export async function readOffer(db: pg.Pool, slug: string): Promise<unknown> {
  const { rows } = await db.query<{ offer: unknown }>("select private.course_offer($1) as offer", [
    slug,
  ]);
  return rows[0]?.offer ?? null;
}

/**
 * `/c/{slug}` as a document for people who are no members. What cannot be read or rendered is left to the next route, the
 * app's page, which says so and offers to try again.
 */
export function createSalePages(
  { log }: Pick<HostContext, "log">,
  { limitRequests, fileHeaders }: SharedByRoutes,
  read: (slug: string) => Promise<unknown>,
  render: SaleRenderer,
): Hono {
  const respond = (c: Context, html: string, status: 200 | 404) =>
    c.html(html, status, {
      ...fileHeaders,
      "content-security-policy": policy,
      "cross-origin-opener-policy": "same-origin",
      "x-frame-options": "DENY",
      "cache-control": "no-cache",
    });
  const app = new Hono();
  app.use("/:slug", limitRequests, compress(), etag());
  app.get("/:slug", async (c, next) => {
    const slug = c.req.param("slug");
    try {
      const offer = address.test(slug) ? await read(slug) : null;
      return respond(c, await render(offer), offer === null ? 404 : 200);
    } catch (error) {
      log.error({ err: error, slug }, "the page of a course on sale was not rendered");
      return await next();
    }
  });
  return app;
}
