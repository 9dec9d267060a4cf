import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import type pg from "pg";
import { z } from "zod";
import type { HostContext, SharedByRoutes } from "basehost";

/** Makes the whole document of a course on sale, or of none. */
export type SaleRenderer = (offer: unknown) => Promise<string>;

/** The page runs no script and loads styles, fonts and pictures of this site only. */
const policy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** An address that a course may have, in whatever case it was typed. */
const address = /^[a-z0-9-]{3,80}$/i;

/** Rendered pages that are kept; each takes up to some hundred kilobytes. */
const maxKept = 50;

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

/** The renderer that was built with the web app in `folder`. It is loaded with the first page. */
export function saleRenderer(folder: string, origin: string): SaleRenderer {
  const load = async (): Promise<SaleRenderer> => {
    const site = { origin, stylesheets: await stylesheetsOf(folder) };
    const bundle = pathToFileURL(join(folder, ".server", "render-sale.js")).href;
    const { renderSale } = (await import(bundle)) as {
      renderSale: (offer: unknown, page: typeof site) => Promise<string>;
    };
    return async (offer) => await renderSale(offer, site);
  };
  let loading: Promise<SaleRenderer> | undefined;
  return keepNewest(async (offer) => {
    loading ??= load();
    const render = await loading;
    return await render(offer);
  });
}

/** Renders the same offer once: a long lesson takes a while, in which the process does nothing else. */
export function keepNewest(render: SaleRenderer): SaleRenderer {
  const kept = new Map<string, Promise<string>>();
  return async (offer) => {
    const key = JSON.stringify(offer);
    const known = kept.get(key);
    if (known) return await known;
    const rendering = render(offer);
    kept.set(key, rendering);
    rendering.catch(() => kept.delete(key));
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return await rendering;
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
