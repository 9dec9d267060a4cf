import * as z from "zod/mini";

/** What every page of the library begins with. */
export const accessShape = z.object({
  /** False while no live membership exists: the pages stay reachable, what is in them does not. */
  is_open: z.boolean(),
});

/** `#rrggbb`, or nothing that may reach the stylesheet. */
export const colourShape = z.pipe(
  z.nullable(z.string()),
  z.transform((value) => (value !== null && /^#[0-9a-f]{6}$/i.test(value) ? value : null)),
);

const homeShape = z.extend(accessShape, {
  subcategories: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      description: z.string(),
      color: colourShape,
      icon: z.nullable(z.string()),
      item_count: z.number(),
      free_count: z.number(),
      done_count: z.number(),
    }),
  ),
});

/** A subcategory as its card on a home page shows it. */
export interface SubcategorySummary {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** `#rrggbb`; null when it has none that can be used. */
  readonly color: string | null;
  readonly icon: string | null;
  /** Published articles or courses. */
  readonly count: number;
  /** Courses without a price; 0 on the shelf of articles. */
  readonly freeCount: number;
  /** How many of them the member has read or completed. */
  readonly done: number;
}

/** One shelf of a category: its subcategories in their order. */
export interface ShelfHome {
  readonly isOpen: boolean;
  readonly subcategories: readonly SubcategorySummary[];
}

/** Reads the answer for a home page. Throws when it has another shape. */
export function toShelfHome(answer: unknown): ShelfHome {
  const { is_open: isOpen, subcategories } = homeShape.parse(answer);
  return {
    isOpen,
    subcategories: subcategories.map(
      ({ item_count: count, free_count: freeCount, done_count: done, ...rest }) => ({
        ...rest,
        count,
        freeCount,
        done,
      }),
    ),
  };
}

/** How much of a number is done. An empty shelf is not complete. */
export function progressOf(done: number, count: number): { percent: number; complete: boolean } {
  if (count <= 0) return { percent: 0, complete: false };
  const bounded = Math.min(Math.max(0, done), count);
  return { percent: Math.round((bounded / count) * 100), complete: bounded === count };
}

/** All of a shelf together. */
export function totalsOf(home: ShelfHome): { done: number; count: number } {
  return home.subcategories.reduce(
    (sum, { done, count }) => ({
      done: sum.done + Math.min(done, count),
      count: sum.count + count,
    }),
    { done: 0, count: 0 },
  );
}
