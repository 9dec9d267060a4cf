import type pg from "pg";
import type { HostContext } from "basehost";
import { maxKept, readOffer, type SaleRenderer } from "./sale-pages.ts";

/** A course on sale, and a mark that changes with every row that its page shows. */
export interface MarkedOffer {
  readonly slug: string;
  readonly mark: string;
}

/** Where the offers come from. */
export interface OfferSource {
  /** The newest offers, without their texts: it is called often. */
  readonly list: () => Promise<readonly MarkedOffer[]>;
  readonly read: (slug: string) => Promise<unknown>;
}

const everyMs = 5000;

/** `xmin` is the transaction that wrote a row, so that no text need be read to see whether it is another. */
export const markedOffersSql = `select o.slug, concat_ws(',', o.xmin, c.xmin, p.xmin, s.xmin, t.xmin, m.lessons) as mark
  from private.course_offers o
  join public.courses c on c.id = o.course_id
  join public.profiles p on p.id = c.mentor_id
  join public.subcategories s on s.id = c.subcategory_id
  cross join private.selling_terms t
  cross join lateral (
    select string_agg(l.id || ':' || l.xmin, ',' order by l.id) as lessons from public.course_modules l where l.course_id = c.id
  ) m
  where o.is_on_sale and c.is_published
  order by o.changed_at desc, o.slug
  limit $1`;

/** The courses on sale in the database, as many as pages are kept. */
export function offersIn(db: pg.Pool): OfferSource {
  return {
    list: async () => (await db.query<MarkedOffer>(markedOffersSql, [maxKept])).rows,
    read: async (slug) => await readOffer(db, slug),
  };
}

/**
 * A look at the offers, which renders those that are new or have changed since the last one, so that no visitor waits for a page and
 * nobody's visit decides when a heavy one is tried. One that cannot be rendered is left to its visitors until it changes.
 */
export function renderChanged(
  { list, read }: OfferSource,
  render: SaleRenderer,
): () => Promise<void> {
  let known = new Map<string, string>();
  return async () => {
    const offers = await list();
    const before = known;
    known = new Map();
    for (const { slug, mark } of offers) {
      if (before.get(slug) !== mark) {
        const offer = await read(slug);
        if (offer !== null) await render(offer).catch(() => undefined);
      }
      known.set(slug, mark);
    }
  };
}

/** Looks every five seconds whether a page is to be rendered, until it is stopped. */
export function renderAhead(
  { db, log }: Pick<HostContext, "db" | "log">,
  render: SaleRenderer,
): { stop: () => void } {
  const look = renderChanged(offersIn(db.admin), render);
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const lookAgain = async () => {
    try {
      await look();
    } catch (error) {
      // The database closes after this has been stopped.
      if (!isStopped) log.warn({ err: error }, "pages of courses on sale are not rendered");
    }
    wait();
  };
  const wait = () => {
    if (isStopped) return;
    timer = setTimeout(() => void lookAgain(), everyMs);
    timer.unref();
  };
  wait();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
