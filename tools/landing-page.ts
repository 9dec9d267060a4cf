import { createHash } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import type { HostContext } from "basehost";
import { renderInWorker } from "./render-in-worker.ts";

/** The landing page with what the database says at the moment. */
export interface RenderedLanding {
  /** Changes with the page. */
  readonly mark: string;
  /** What stands between the marks of the built page. */
  readonly html: string;
}

/** The page as it is now; null when it cannot be made, and the built one has to do. */
export type LandingSource = () => Promise<RenderedLanding | null>;

/** What is read of the database is shown for so long. */
const freshMs = 5000;
/** A visitor does not wait longer for a database that does not answer. */
const patienceMs = 2000;

/** What visitors may see of the database. */
export async function readLanding(db: pg.Pool): Promise<unknown> {
  const { rows } = await db.query<{ page: unknown }>("select private.landing_page() as page");
  return rows[0]?.page;
}

/** The renderer that was built with the web app in `folder`. */
export function landingRenderer(folder: string): (found: unknown) => Promise<string> {
  const bundle = pathToFileURL(join(folder, ".server", "render-landing.js")).href;
  return renderInWorker(
    async () => await Promise.resolve({ bundle, render: "renderLanding", site: null }),
  );
}

/** Reads at most every five seconds, for all visitors together, and renders only what has changed. */
export function landingSource(
  { log }: Pick<HostContext, "log">,
  read: () => Promise<unknown>,
  render: (found: unknown) => Promise<string>,
  now: () => number = Date.now,
): LandingSource {
  let known: RenderedLanding | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  async function look(): Promise<void> {
    const found = await read();
    const mark = createHash("sha256").update(JSON.stringify(found)).digest("hex");
    if (known?.mark !== mark) known = { mark, html: await render(found) };
  }

  return async () => {
    if (looking === undefined && now() - readAt >= freshMs) {
      readAt = now();
      looking = look()
        .catch((error: unknown) => {
          log.warn({ err: error }, "the landing page was not rendered");
        })
        .finally(() => {
          looking = undefined;
        });
    }
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([looking, patience]);
    clearTimeout(timer);
    return known;
  };
}

/** The built page with other content between its marks. */
export function withLanding(page: string, { html }: Pick<RenderedLanding, "html">): string {
  return page.replace(
    /(<!--landing-begins-->)[^]*(<!--landing-ends-->)/,
    (_all, begin: string, end: string) => begin + html + end,
  );
}
